"""Coverage-guided fuzzing of the LaTeX and JSON readers (atheris, libFuzzer): only ReadError may escape.

    python scripts/fuzz.py                    both targets, 30 s each
    python scripts/fuzz.py latex --seconds 300

Inputs found so far are kept in build/fuzz/TARGET; an input that crashes is left there as crash-HASH, and
``python scripts/fuzz.py TARGET --input FILE`` runs it again. A slow input (10 s) and one that takes more than
1 GiB count as crashes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "build" / "fuzz"
TARGETS: Final = {"latex": (".tex",), "json": (".json", ".jsonl")}

SEEDS: Final = {
    "latex": [
        r"\documentclass{article}\newcommand{\a}[2][x]{#1\emph{#2}}\def\b#1.{$#1^2$}\begin{document}"
        r"\title{T}\maketitle\begin{abstract}A.\end{abstract}\section{S}\label{s}\a{y} \b z. \cite{k}%c"
        "\n\n"
        r"\begin{table}\caption{C}\begin{tabular}{l|c}\hline a & \multicolumn{1}{c}{$1\pm2$}\\ \end{tabular}"
        r"\end{table}\[x=\frac{1}{2}\]\begin{align}a&=b\\c\end{align}\begin{itemize}\item i\end{itemize}"
        r"\ifthenelse{\equal{a}{b}}{c}{d}\iffalse e\else f\fi\SI{1.5(2)}{\giga\electronvolt\per\clight}"
        r"\footnote{n}\input{x}\verb|v|\begin{verbatim}v\end{verbatim}\end{document}",
        r"\begin{document}\begin{deluxetable}{lc}\tablehead{\colhead{N}&\colhead{M}}\startdata A&1\\"
        r"\enddata\end{deluxetable}\newif\ifx\xtrue\ifx y\fi\let\c=\d\csname e\endcsname"
        r"$$\sqrt[3]{x}$$\end{document}",
    ],
    "json": [
        '{"metadata": {"title": "T", "doi": "10.1/x"}, "abstract": [{"text": "A"}], "body_text": '
        '[{"text": "B", "section": "S", "sec_num": "1.1"}], "ref_entries": {"F": {"text": "C", "html": '
        '"<table><tr><td colspan=2>1</td></tr></table>"}}}',
        '{"id": "1", "time": "2024-05-03T07:15:00+02:00", "author": "A", "text": "T", "attachments": ["a", '
        '{"name": "b"}], "backlink": "https://x.org/1"}\n{"id": 2, "time": 1714713300, "text": "U"}',
        "1|Text|2024-05-03T07:15:00Z|A|T\n2|More|1714713300\n3|<p>x</p>|Fri, 3 May 2024 07:15:00 +0200",
        "<h1>T</h1><table><tr><th rowspan=2>a<td colspan=3>b</tr><tr><td>c<sup>2</sup></table>",
    ],
}
COMMANDS: Final = """def edef let newcommand begin end input footnote caption item csname if else fi iffalse
    frac sqrt left right multicolumn multirow verb SI num"""
ENVIRONMENTS: Final = "document tabular table equation align itemize verbatim cases"
KEYS: Final = """metadata title abstract body_text text section sec_num ref_entries html id time author
    attachments backlink name doi arxiv publish_time"""
SIGNS: Final = {
    "latex": ["$$", "#1", "##", "&", "\\\\", "^{", "_{", "%", "\\[", "\\]", "\\ifthenelse{", "\\newif\\if"],
    "json": ["\\u0000", "\\ud800", "null", "1e999", "<table>", "<td rowspan=9>", "{", "}", "[", "]", "\n"],
}
MAX_TOKENS: Final = 50_000
"""Expansion is bounded more tightly here: instrumented code is about ten times slower."""


def dictionary(target: str) -> list[str]:
    """What libFuzzer puts into inputs."""
    if target == "json":
        return [*(f'"{key}":' for key in KEYS.split()), *SIGNS[target]]
    commands, environments = COMMANDS.split(), ENVIRONMENTS.split()
    return [*(f"\\{name}" for name in commands), *(f"{{{name}}}" for name in environments), *SIGNS[target]]


def paper(data: bytes) -> bytes:
    """A well-formed paper whose fields are the lines of ``data``: few mutations of bytes are JSON."""
    lines = data.decode("utf-8", "replace").split("\n")
    body = [{"section": a, "sec_num": a[:3], "text": b} for a, b in itertools.pairwise(lines)]
    entries = {line[:9]: {"text": line, "html": data.decode("utf-8", "replace")} for line in lines}
    metadata = dict(zip(("title", "doi", "arxiv", "publish_time"), lines, strict=False))
    return json.dumps(
        {"metadata": metadata, "abstract": lines[0], "body_text": body, "ref_entries": entries}
    ).encode()


def log(data: bytes) -> bytes:
    """A well-formed log whose entries are the lines of ``data``, their fields parted by ``|``."""
    keys = ("id", "text", "time", "author", "title", "backlink")
    lines = data.decode("utf-8", "replace").split("\n")
    return "\n".join(json.dumps(dict(zip(keys, line.split("|"), strict=False))) for line in lines).encode()


def reads_or_refuses(suffixes: tuple[str, ...], folder: Path) -> Callable[[bytes], None]:
    """The function to fuzz: what it is given it writes to a file and reads."""
    from extraction.readers import read_document
    from schemas.errors import ReadError

    paths = [folder / f"fuzz{suffix}" for suffix in suffixes]

    def run(data: bytes) -> None:
        inputs = [(path, data) for path in paths]
        if ".json" in suffixes:
            inputs += [(folder / "paper.json", paper(data)), (folder / "log.jsonl", log(data))]
        for path, content in inputs:
            path.write_bytes(content)
            try:
                read_document(path, root=folder, missing_inputs_ok=True)
            except ReadError as e:
                if not e.file:
                    raise AssertionError(f"a ReadError without its file: {e}") from e

    return run


def fuzz(target: str, options: list[str]) -> None:
    """Run libFuzzer in this process; it ends the process."""
    import atheris

    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(include=["extraction", "schemas"]):
        import extraction.readers.latex_expand as expansion

    expansion.MAX_TOKENS = MAX_TOKENS
    with tempfile.TemporaryDirectory() as folder:
        atheris.Setup([sys.argv[0], *options], reads_or_refuses(TARGETS[target], Path(folder)))
        atheris.Fuzz()


def prepare(target: str) -> tuple[Path, Path]:
    """Seeds and dictionary on disk: (corpus folder, dictionary file)."""
    corpus = OUT / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[target]):
        (corpus / f"seed-{number}").write_text(seed, encoding="utf-8")
    words = OUT / f"{target}.dict"
    lines = ["".join(f"\\x{byte:02x}" for byte in word.encode()) for word in dictionary(target)]
    words.write_text("".join(f'"{line}"\n' for line in lines), encoding="ascii")
    return corpus, words


def main() -> int:
    """Each target in its own process; the number of targets that failed is the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], default=[])
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--input", type=Path, help="run this one input instead")
    parser.add_argument("--child", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    targets = arguments.targets or list(TARGETS)
    if arguments.child is not None:
        fuzz(targets[0], arguments.child)
    failed = 0
    for target in targets:
        corpus, words = prepare(target)
        options = [
            f"-max_total_time={arguments.seconds}",
            "-timeout=10",
            "-rss_limit_mb=1024",
            "-max_len=4096",
            f"-artifact_prefix={corpus}/",
            f"-dict={words}",
            "-print_final_stats=1",
            "-verbosity=1",
            str(arguments.input or corpus),
        ]
        command = [sys.executable, __file__, target, "--child", *options]
        failed += subprocess.run(command, check=False, cwd=ROOT).returncode != 0
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
