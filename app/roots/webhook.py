"""The composition root of notices: the webhook of the settings."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pydantic import SecretStr

from app.errors import InvalidInputError
from app.ports.notices import Notify, notify_nobody
from app.settings import Settings, environment

SERVICE_WAIT_S = 2.0
"""How long the end of the service waits for a notice that is being sent."""
COMMAND_WAIT_S = 15.0
"""The same of a command, which has nothing else to do: one try, and a second one."""


@contextmanager
def opened_webhook(
    settings: Settings, *, wait_s: float, counted: Callable[[str], None] = lambda _: None
) -> Iterator[Notify]:
    """What sends notices; nobody where the settings name no address.

    Args:
        settings: of the service or the command.
        wait_s: how long its end waits for notices that are not sent yet.
        counted: is called with what became of each.

    Raises:
        InvalidInputError: the address, or the variable of its key, is not what is accepted.
    """
    url = settings.webhook.get_secret_value().strip() if settings.webhook else ""
    if not url:
        yield notify_nobody
        return
    from app.adapters.http.caller import PooledHttpCaller
    from app.adapters.http.webhook import Webhook, receiver_of

    try:
        receiver = receiver_of(url, _key(settings.webhook_key_variable))
    except InvalidInputError as error:
        raise InvalidInputError(f"OUTFITTER_WEBHOOK: {error}") from error
    with PooledHttpCaller() as http:
        webhook = Webhook(receiver, http, counted=counted)
        webhook.start()
        try:
            yield webhook.notify
        finally:
            webhook.close(wait_s)


def _key(variable: str | None) -> SecretStr | None:
    if not variable:
        return None
    key = environment().get(variable, "").strip()
    if not key:
        raise InvalidInputError(
            f"OUTFITTER_WEBHOOK_KEY_VARIABLE = {variable!r}: that variable is not set; accepted: the name of a variable"
            " that has the key"
        )
    return SecretStr(key)
