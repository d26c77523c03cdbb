"""Tables, plots and the record of a run: what every benchmark prints its results through."""

from __future__ import annotations

import importlib
import json
import math
import os
import platform
import time
from pathlib import Path

RESULTS = Path(os.environ.get("LANEWISE_BENCHMARK_RESULTS") or Path(__file__).parent / "results")


class Report:
    """Rows of one benchmark. ``save`` writes ``<name>.json`` and, with matplotlib, ``<name>.png``."""

    def __init__(self, name: str, title: str, columns: list[str], unit: str):
        self.name, self.title, self.columns, self.unit = name, title, columns, unit
        self.rows: list[tuple[str, list]] = []

    def row(self, label: str, values: list) -> None:
        """One line; a value of None prints as a dash."""
        self.rows.append((label, values))
        text = "  ".join(
            "         -" if v is None else f"{v:10.4g}" if isinstance(v, float) else f"{v:>10}" for v in values
        )
        print(f"{label:34s} {text}", flush=True)

    def header(self) -> None:
        print(f"\n{self.title} [{self.unit}]")
        print(f"{'':34s} " + "  ".join(f"{c:>10.10}" for c in self.columns), flush=True)

    def save(self, machine: str, log_scale: bool = False) -> None:
        RESULTS.mkdir(parents=True, exist_ok=True)
        record = {
            "name": self.name,
            "title": self.title,
            "unit": self.unit,
            "machine": machine,
            "python": platform.python_version(),
            "date": time.strftime("%Y-%m-%d"),
            "columns": self.columns,
            "rows": self.rows,
        }
        (RESULTS / f"{self.name}.json").write_text(json.dumps(record, indent=1) + "\n")
        try:
            import matplotlib
        except ImportError:
            return
        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(10, 0.35 * len(self.rows) * max(1, len(self.columns) / 3) + 1.5))
        height = 0.8 / len(self.columns)
        for c, column in enumerate(self.columns):
            values = [row[1][c] if row[1][c] is not None else 0 for row in self.rows]
            axes.barh([i + c * height for i in range(len(self.rows))], values, height, label=column)
        axes.set_yticks([i + 0.4 - height / 2 for i in range(len(self.rows))], [r[0] for r in self.rows])
        axes.invert_yaxis()
        if log_scale:
            axes.set_xscale("log")
        axes.set_xlabel(self.unit)
        axes.set_title(f"{self.title}\n{machine}")
        axes.legend()
        figure.tight_layout()
        figure.savefig(RESULTS / f"{self.name}.png", dpi=100)
        pyplot.close(figure)


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def best(run, repeats: int = 7) -> float:
    """Smallest of `repeats` results of ``run()`` (seconds)."""
    return min(run() for _ in range(repeats))


def fastest(runs: list, seconds: float) -> list:
    """Least time of each, in milliseconds; they take turns until `seconds` a run are spent."""
    least, spent = [float("inf")] * len(runs), 0.0
    while spent < seconds * len(runs):
        for index, run in enumerate(runs):
            start = time.perf_counter()
            run()
            took = time.perf_counter() - start
            least[index], spent = min(least[index], took * 1e3), spent + took
    return least


def peer(module: str):
    """The module of a peer; None, and a line that says so, where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        print(f"{module} is absent ({error}): no rows of it")
        return None
