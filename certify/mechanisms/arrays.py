"""The array types of the mechanisms: double precision numbers and integer labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Data:
    """Labelled records: ``features`` is n x d; ``labels`` are -1, +1 for the binary heads, else 0 ... classes - 1."""

    features: Array
    labels: Labels
    classes: int

    @property
    def n(self) -> int:
        """How many records."""
        return len(self.labels)

    def without(self, index: int) -> Data:
        """All records but one: what the informed adversary knows (D^-)."""
        kept = np.arange(self.n) != index
        return Data(self.features[kept], self.labels[kept], self.classes)

    def replaced(self, index: int, features: Array, label: int | None = None) -> Data:
        """The neighbouring data set: record ``index`` replaced, its label kept unless another is given."""
        x, y = self.features.copy(), self.labels.copy()
        x[index] = features
        y[index] = self.labels[index] if label is None else label
        return Data(x, y, self.classes)
