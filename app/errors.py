"""The errors that a caller acts on. No HTTP and no exit status in here."""


class OutfitterError(Exception):
    """Base of all. The message names the thing, its value, and what would be accepted.

    Args:
        message: in our own words.
        said: what a server said of it, cut and made visible by `visible_text.excerpt`. Written by a stranger, so
            it is shown beside the message, in a field of its own, and never within.
    """

    def __init__(self, message: str = "", *, said: str = "") -> None:
        super().__init__(message)
        self.said = said


class StoreUnavailableError(OutfitterError):
    """The graph database did not answer, or refused the credentials."""


class EngineUnavailableError(StoreUnavailableError):
    """The embedded engine cannot be started here."""


class SchemaVersionError(OutfitterError):
    """The graph was written by another version of Outfitter."""


class LeaseHeldError(OutfitterError):
    """Another writer is at work."""


class LeaseLostError(OutfitterError):
    """This writer's lease ran out or was taken over; nothing more may be written."""


class StatementError(OutfitterError):
    """A Cypher file breaks the rules of cypher/README.md."""


class NotFoundError(OutfitterError):
    """No node, source or server has this id."""


class InvalidInputError(OutfitterError):
    """An input is not what is accepted: a document, an item, an option."""


class ChangedMeanwhileError(OutfitterError):
    """What was to be replaced is not what its caller read; nothing was written."""


class SourceRefusedError(InvalidInputError):
    """A whole source is refused; the graph keeps what it had from it."""


class McpServerError(OutfitterError):
    """An MCP server cannot be reached, or does not answer as it must; the message names it and says why."""


class CallRefusedError(InvalidInputError):
    """A call is not passed on: unknown tool, not allowed, arguments that do not fit; says what is accepted."""


class CallFailedError(OutfitterError):
    """A call was passed on, or tried, and there is no usable answer; names the server and why, without secrets."""


class AuditError(OutfitterError):
    """What is called cannot be written down, so nothing is called."""


class ReaderUnavailableError(OutfitterError):
    """The language model gave no tasks that can be used; says why, without what was sent and what it wrote."""


class EncoderError(OutfitterError):
    """Texts cannot be turned into vectors; says why, without the texts."""


class RerankerError(OutfitterError):
    """Found tools cannot be put into another order; says why, without the request and the tools."""


class NotReadyError(OutfitterError):
    """The service has no snapshot of the graph yet."""


class TooManyRequestsError(OutfitterError):
    """A caller asks more than the limits allow; says which one.

    Args:
        message: why.
        retry_after_s: when to ask again.
    """

    def __init__(self, message: str, *, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class NotPermittedError(OutfitterError):
    """Whoever asks is known, and may not do this; names the scopes that it takes, or who may."""


class TokenRefusedError(OutfitterError):
    """A token of an identity provider lets nobody in; says why, without anything that stands in it."""


class IssuerUnavailableError(OutfitterError):
    """A token cannot be checked now: the keys of its issuer are not at hand."""


class ServeRefusedError(OutfitterError):
    """The service refuses to start: an open address without a token, a port in use."""
