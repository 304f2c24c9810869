"""The encoder that ships, from its fp32 form: weights in 8 bits, a scale for each channel.

    pip install onnx onnxruntime sympy
    python -m tools.quantise FP32.onnx app/adapters/encoders/minilm/model.onnx

With one scale for a whole tensor vectors lose more (cosine .962 to fp32 instead of .993).
"""

import hashlib
import sys
import tempfile
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

_ARGUMENTS = 3


def main(arguments: list[str]) -> int:
    """Quantise one file into another, and print the SHA-256 of that."""
    if len(arguments) != _ARGUMENTS:
        print("usage: python -m tools.quantise FP32.onnx INT8.onnx", file=sys.stderr)
        return 2
    source, target = map(Path, arguments[1:])
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        quantize_dynamic(str(prepared), str(target), weight_type=QuantType.QInt8, per_channel=True)
    print(f"{hashlib.sha256(target.read_bytes()).hexdigest()}  {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
