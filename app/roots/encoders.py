"""Where the encoder of the settings is opened."""

from typing import TYPE_CHECKING

from app.settings import Settings

if TYPE_CHECKING:
    from app.usecases.index.encoding import ToolEncoder


def open_encoder(settings: Settings) -> "ToolEncoder | None":
    """What encodes tools and requests; None where meaning is off.

    Raises:
        InvalidInputError: OUTFITTER_ENCODER_MODEL is no folder with a model.
    """
    if settings.encoder == "none":
        return None
    from app.adapters.encoders.onnx import SHIPPED, OnnxEncoder
    from app.adapters.encoders.vector_file import VectorFile
    from app.usecases.index.encoding import ToolEncoder

    folder = SHIPPED if settings.encoder_model is None else settings.encoder_model
    return ToolEncoder(OnnxEncoder(folder), VectorFile(settings.data_dir / "vectors.sqlite"))
