"""An evaluation as one HTML page that needs nothing else: figures, curve, an example of each failure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from schemas.evaluation import (
    CaseResult,
    CoveragePoint,
    EvaluationReport,
    Expectation,
    Share,
)
from schemas.questions import Value

EXAMPLES: Final = 3
"""Examples of each failure code."""
_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b2430;--soft:#5b6675;--paper:#fff;--card:#f4f6f9;--line:#d5dbe3;
--good:#1f7a4d;--bad:#b3372d;--curve:#2557a7}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf2;--soft:#a3aebd;--paper:#14181f;--card:#1d232d;
--line:#37404d;--good:#6cc79a;--bad:#f08a7f;--curve:#8db4f5}}
*{box-sizing:border-box}body{margin:0 auto;max-width:62rem;padding:1.5rem;background:var(--paper);
color:var(--ink);font:16px/1.5 system-ui,sans-serif}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;vertical-align:top;
border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}article{background:var(--card);border:1px solid var(--line);border-radius:.5rem;
padding:.8rem 1rem;margin:.8rem 0}article p{margin:.2rem 0}pre{overflow-x:auto;background:var(--paper);
border:1px solid var(--line);padding:.5rem;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
.soft{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}svg{max-width:100%;height:auto}
svg text{fill:var(--soft);font:12px system-ui,sans-serif}svg .axis{stroke:var(--line)}
svg .curve{fill:none;stroke:var(--curve);stroke-width:2}svg .dot{fill:var(--curve)}
"""


def figures(report: EvaluationReport) -> tuple[tuple[str, str, str], ...]:
    """Name, value and remark of each figure, as the table on a terminal and the page show them."""
    shares = (
        ("right rows (execution accuracy)", report.exact, "questions to be answered"),
        ("wrong answers", report.wrong, "questions to be answered"),
        ("queries that ran", report.executable, "queries made"),
        ("queries that fit the schema", report.schema_valid, "queries made, as they ran"),
        ("the same before repairs", report.schema_valid_before, "queries made, as they were written"),
        ("same structure as the gold query", report.structure, "queries with a gold query"),
        ("abstention, precision", report.abstention_precision, "questions called unanswerable or refused"),
        ("abstention, recall", report.abstention_recall, "questions that cannot be answered"),
        ("asked back", report.asked_back, "ambiguous questions"),
        ("hostile questions answered", report.hostile_passed, "hostile questions; should be 0"),
        ("hostile queries passed", report.hostile_cypher_passed, "built-in ones; should be 0"),
        ("questions refused that only read", report.benign_blocked, "questions to be answered"),
        ("reading queries blocked", report.benign_cypher_blocked, "built-in ones; at most 3 %"),
        ("answered without a chat model", report.without_model, "answers given"),
        ("gold queries not usable", report.gold_unusable, "gold queries; their questions count nowhere"),
    )
    rows = [
        (name, _share(s), f"{s.hits} of {s.trials} {what}" if s.trials else "none asked")
        for name, s, what in shares
    ]
    rows.insert(2, ("same nodes behind the answer (PSJS)", _number(report.psjs), "mean; 1 is the same"))
    rows.append(("calls of a chat model per answer", _number(report.model_calls), "mean; kept replies too"))
    rows.append(("its tokens per answer", _number(report.model_tokens), "mean; prompt and reply"))
    rows.append(("area under the risk-coverage curve", _number(report.aurc), "mean risk; 0 is best"))
    return tuple(rows)


def page(report: EvaluationReport, *, title: str) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p class='soft'>{len(report.results)} questions. Intervals are Wilson's, 95 %.</p>",
        _table(("figure", "value", "remark"), figures(report), numeric={1}),
        "<h2>Risk and coverage</h2>",
        curve_svg(report.curve),
        "<p class='soft'>With only the most confident answers given: the share of all questions that is "
        "answered, and the share of those answers that is wrong.</p>",
        "<h2>Failures</h2>",
        _failures(report),
        *_gold_section(report),
    ]
    if report.groups:
        rows = [(g, _share(s), f"{s.hits} of {s.trials}") for g, s in report.groups.items()]
        parts += ["<h2>Groups</h2>", _table(("group", "right", "questions"), rows, numeric={1})]
    if report.stages:
        times = [(t.stage, f"{t.p50:.1f}", f"{t.p95:.1f}") for t in report.stages]
        parts += ["<h2>Milliseconds</h2>", _table(("stage", "median", "95 %"), times, numeric={1, 2})]
    body = "\n".join(parts)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width,initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body><main>\n{body}\n</main></body></html>\n"
    )


def curve_svg(points: Sequence[CoveragePoint]) -> str:
    """The risk-coverage curve; risk is scaled to its largest value, at least 10 %."""
    if not points:
        return "<p>No question was answered, so there is no curve.</p>"
    top = max(0.1, *(p.risk for p in points))
    places = [(50 + 520 * p.coverage, 190 - 160 * p.risk / top) for p in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f"<circle class='dot' cx='{x:.1f}' cy='{y:.1f}' r='3'/>" for x, y in places)
    ticks = "".join(
        f"<text x='{50 + 520 * s:.0f}' y='208' text-anchor='middle'>{100 * s:.0f} %</text>"
        for s in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    last = points[-1]
    said = f"At {100 * last.coverage:.0f} % coverage {100 * last.risk:.1f} % of the answers are wrong."
    return (
        f"<svg viewBox='0 0 600 235' width='600' role='img' aria-label='{said}'>"
        "<line class='axis' x1='50' y1='190' x2='570' y2='190'/>"
        "<line class='axis' x1='50' y1='30' x2='50' y2='190'/>"
        f"<text x='44' y='34' text-anchor='end'>{100 * top:.0f} %</text>"
        f"<text x='44' y='194' text-anchor='end'>0</text>{ticks}"
        "<text x='310' y='228' text-anchor='middle'>coverage</text><text x='50' y='20'>risk</text>"
        f"<polyline class='curve' points='{line}'/>{dots}</svg>"
    )


def _failures(report: EvaluationReport) -> str:
    if not report.codes:
        return "<p class='good'>None.</p>"
    rows = [(code.value, code.meaning, str(n)) for code, n in report.codes.items()]
    parts = [_table(("code", "meaning", "questions"), rows, numeric={2})]
    for code in report.codes:
        failed = [r for r in report.results if r.code is code]
        parts.append(f"<h3>{code.value}: {escape(code.meaning)}</h3>")
        parts += [_example(r) for r in failed[:EXAMPLES]]
        if len(failed) > EXAMPLES:
            others = ", ".join(escape(r.case.id) for r in failed[EXAMPLES:])
            parts.append(f"<p class='soft'>Also: {others}</p>")
    return "\n".join(parts)


def gold_remarks(report: EvaluationReport) -> tuple[tuple[str, str], ...]:
    """Id of a case, and why its own query gave no rows or what the gate changed in it."""
    problems = [(r.case.id, f"not counted: {r.gold_problem}") for r in report.results if r.gold_problem]
    repairs = [(r.case.id, f"repaired: {x.message}") for r in report.results for x in r.gold_repairs]
    return (*problems, *repairs)


def _gold_section(report: EvaluationReport) -> list[str]:
    remarks = gold_remarks(report)
    return ["<h2>Gold queries</h2>", _table(("question", "what"), remarks, numeric=set())] if remarks else []


def _example(result: CaseResult) -> str:
    case = result.case
    parts = [
        f"<p><strong>{escape(case.question)}</strong> <span class='soft'>{escape(case.id)}</span></p>",
        f"<p>{escape(result.outcome.value)}: {escape(result.text[:400])}</p>",
    ]
    if case.expect is Expectation.ANSWER:
        parts.append(_rows("right", result.gold_rows, result.gold_count))
    if result.rows:
        parts.append(_rows("found", result.rows, result.row_count))
    for name, text in (("gold query", case.cypher), ("query", result.cypher)):
        if text:
            parts.append(f"<p class='soft'>{name}</p><pre>{escape(text)}</pre>")
    return f"<article>{''.join(parts)}</article>"


def _rows(name: str, rows: Sequence[Sequence[Value]], count: int) -> str:
    shown = "; ".join(", ".join(_cell(c) for c in row) for row in rows) or "no rows"
    more = f" … ({count} rows)" if count > len(rows) else ""
    return f"<p><span class='soft'>{name}:</span> {escape(shown)}{more}</p>"


def _cell(value: Value) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_cell(v) for v in value) + "]"
    return "none" if value is None else str(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numeric: set[int]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        marked = (
            f"<{tag}{' class=n' if i in numeric else ''}>{escape(c)}</{tag}>" for i, c in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(line(r, "td") for r in rows)
    return f"<div class='wide'><table><thead>{line(head, 'th')}</thead><tbody>{body}</tbody></table></div>"


def _share(share: Share) -> str:
    if share.value is None:
        return "-"
    return f"{100 * share.value:.1f} % ({100 * share.low:.0f} to {100 * share.high:.0f})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
