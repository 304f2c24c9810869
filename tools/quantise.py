"""The encoder that ships, from its fp32 form: weights in 8 bits, a scale for each channel.

    pip install onnx onnxruntime sympy
    python -m tools.quantise FP32.onnx app/adapters/encoders/minilm/model.onnx

With one scale for a whole tensor of weights vectors lose more (cosine .962 to fp32 instead of .993). What a product is given is
quantised when it runs, with one scale for all its channels, so a few large channels take the levels of the others: they are
made smaller before, and their weights larger (cosine .998).
"""

import hashlib
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from app.adapters.encoders.static import SHIPPED_TOKENIZER
from app.adapters.encoders.wordpiece import WordPiece
from bench.training.token_table import Rows
from ingest.sources.taxonomy.common import common_items

_ARGUMENTS = 3
_TOKENS = 128
_SMOOTHING = 0.75
"""Power of how much larger a channel gets than the median one, by which it is divided. Source: cosine to fp32 of 640 texts of sets
.9921 without, .9964 with .25, .9969 with .5, .9978 with .75, .9977 with 1."""


def smoothed(model: onnx.ModelProto, texts: Sequence[str]) -> None:
    """Divide what products are given by a number for each channel, and multiply their weights by it: the model computes the same.

    Source: Xiao et al.: SmoothQuant. ICML 2023, section 4, with the activations alone.

    Args:
        model: fp32; changed in place.
        texts: By which it is seen how large each channel gets.
    """
    graph = model.graph
    weights = {one.name: one for one in graph.initializer}
    products = defaultdict(list)
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in weights:
            products[node.input[0]].append(node)
    largest = _largest(model, list(products), texts)
    for given, nodes in products.items():
        size = np.maximum(largest[given] / np.median(largest[given]), 1.0) ** _SMOOTHING
        factor, smooth = f"{given}_factor", f"{given}_smooth"
        graph.initializer.append(numpy_helper.from_array(np.asarray(1 / size, np.float32), factor))
        graph.node.insert(
            list(graph.node).index(nodes[0]), helper.make_node("Mul", [given, factor], [smooth], name=smooth)
        )
        for node in nodes:
            weight = weights[node.input[1]]
            rows = numpy_helper.to_array(weight) * size[:, None]
            weight.CopyFrom(numpy_helper.from_array(np.asarray(rows, np.float32), weight.name))
            node.input[0] = smooth


def _largest(model: onnx.ModelProto, names: Sequence[str], texts: Sequence[str]) -> dict[str, Rows]:
    """Of each of these tensors the largest size of each channel, over all texts and tokens."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    shown.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    session = onnxruntime.InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])
    tokenizer = WordPiece(SHIPPED_TOKENIZER)
    found: dict[str, Rows] = {}
    for text in texts:
        numbers = np.array([tokenizer.encode(text, most=_TOKENS)], np.int64)
        given = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": np.zeros_like(numbers),
        }
        for name, values in zip(names, session.run(list(names), given), strict=True):
            sizes = np.abs(values).reshape(-1, values.shape[-1]).max(axis=0)
            found[name] = np.maximum(found.get(name, np.float32(0)), sizes)
    return found


def main(arguments: list[str]) -> int:
    """Quantise one file into another, and print the SHA-256 of that."""
    if len(arguments) != _ARGUMENTS:
        print("usage: python -m tools.quantise FP32.onnx INT8.onnx", file=sys.stderr)
        return 2
    source, target = map(Path, arguments[1:])
    model = onnx.load(str(source))
    smoothed(model, [f"{item.name}: {item.description}" for item in common_items().values()])
    with tempfile.TemporaryDirectory() as folder:
        smooth, prepared = Path(folder) / "smooth.onnx", Path(folder) / "prepared.onnx"
        onnx.save(model, str(smooth))
        quant_pre_process(str(smooth), str(prepared), skip_symbolic_shape=True)
        quantize_dynamic(str(prepared), str(target), weight_type=QuantType.QInt8, per_channel=True)
    print(f"{hashlib.sha256(target.read_bytes()).hexdigest()}  {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
