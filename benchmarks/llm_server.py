"""A run with a chat model whose server is scripted: throughput, survival of faults, error of the forecast.

The server (``llm_server_model``) runs in a process of its own; documents are made up. Each worker process
of a run imports this module again, so it imports the parts when they are run, as ``kg`` does.
"""

from __future__ import annotations

import tempfile
from pathlib import Path


def main() -> None:
    """All three parts."""
    from benchmarks.harness import benchmark
    from benchmarks.llm_server_forecast import forecasts
    from benchmarks.llm_server_parts import faults, throughput

    with benchmark("llm_server") as record, tempfile.TemporaryDirectory() as folder:
        throughput(record, Path(folder))
        forecasts(record, Path(folder))
        faults(record, Path(folder))
        record.notes.append(
            "The server is scripted, its replies follow rules: nothing here says how well a model extracts."
        )


if __name__ == "__main__":
    main()
