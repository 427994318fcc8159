"""Neither the parts of dates and points nor computed names are a way to hidden properties."""

from __future__ import annotations

import pytest

from cypher.guard import report_on
from schemas.store_schema import (
    PropertyType,
    StoreLabel,
    StoreProperty,
    StoreRelation,
    StoreSchema,
    StoreTriple,
)

SCHEMA = StoreSchema(
    labels=(
        StoreLabel(
            name="Cook",
            properties=(
                StoreProperty(name="name", type=PropertyType.STRING),
                StoreProperty(name="day", type=PropertyType.DATE),
                StoreProperty(name="days", type=PropertyType.DATE, many=True),
            ),
            hidden=("height",),
        ),
        StoreLabel(name="Event", properties=(StoreProperty(name="start", type=PropertyType.DATETIME),)),
    ),
    relations=(StoreRelation(type="AT", properties=(StoreProperty(name="since", type=PropertyType.DATE),)),),
    triples=(StoreTriple(start="Cook", type="AT", end="Event"),),
)
TALL = SCHEMA.model_copy(
    update={"labels": (*SCHEMA.labels, StoreLabel(name="Tower", properties=(StoreProperty(name="height"),)))}
)
READ = (
    "MATCH (n:Cook) WITH CASE WHEN true THEN n END AS v RETURN v.height AS h",
    "MATCH (n:Cook) WITH CASE WHEN true THEN n END AS v RETURN v['height'] AS h",
    "MATCH (n:Cook) WITH CASE WHEN true THEN n END AS v RETURN v {.height} AS h",
    "MATCH (n:Cook) WITH CASE WHEN true THEN n END AS v WHERE v.height = 180 RETURN v.name AS h",
    "MATCH (n:Cook) RETURN max(n).height AS h",
    "MATCH (n:Cook) RETURN reduce(a = null, x IN [n] | x).height AS h",
    "MATCH (n:Cook) RETURN reduce(a = date(), x IN [{k: n}] | x.k).height AS h",
    "MATCH (n:Cook) RETURN reduce(a = {}, x IN [{k: n}, {}] | coalesce(a.height, x.k)) AS h",
    "MATCH (n:Cook) RETURN [n][0..1][0].height AS h",
    "MATCH (n:Cook) WITH collect(n) + [] AS all UNWIND all AS v RETURN v.height AS h",
    "MATCH (n:Cook) WITH collect(n) + [1] AS all UNWIND all AS v RETURN v.height AS h",
    "MATCH (n:Cook) UNWIND [n, 1] AS v RETURN v.height AS h",
    "MATCH (n:Cook) RETURN {a: n}.a.height AS h",
    "MATCH (n:Cook) RETURN CASE WHEN true THEN n ELSE {k: [n]} END.k[0].height AS h",
    "MATCH (n:Cook) WITH coalesce(n.day, n) AS v RETURN v.height AS h",
)


@pytest.mark.parametrize("text", READ)
@pytest.mark.parametrize("schema", [SCHEMA, TALL], ids=["hidden", "shown elsewhere"])
def test_a_value_of_unknown_kind_tells_no_hidden_component(text: str, schema: StoreSchema) -> None:
    report = report_on(text, schema)
    assert report.query is None, report.query
    assert "SCH3" in {f.code for f in report.findings}


@pytest.mark.parametrize("text", READ)
def test_a_component_that_no_label_declares_is_none(text: str) -> None:
    bare = tuple(x.model_copy(update={"hidden": ()}) for x in SCHEMA.labels)
    assert report_on(text, SCHEMA.model_copy(update={"labels": bare})).query is None


def test_a_property_that_is_hidden_nowhere_may_be_read_of_an_unknown_value() -> None:
    labels = (StoreLabel(name="Tower", properties=(StoreProperty(name="height"),)),)
    text = "MATCH (n:Tower) WITH CASE WHEN true THEN n END AS v RETURN v.height AS h"
    assert report_on(text, StoreSchema(labels=labels)).query is not None


@pytest.mark.parametrize(
    "text",
    [
        "RETURN date('2024-01-02').year AS y, datetime().epochMillis AS e",
        "RETURN point({x: 1.0, y: 2.0}).x AS x, {height: 1}.height AS h",
        "MATCH (n:Cook) RETURN date(n.day).year AS y, n.day.year AS z, n['day'].month AS m",
        "MATCH (n:Cook) WHERE n.day.year = 2020 AND 2020 = n.day.year RETURN n.name AS n",
        "MATCH (n:Event) WITH n.start AS s RETURN s.year AS y",
        "MATCH (n:Event) WITH n.start AS s WHERE s.year > 2020 RETURN s.month AS m ORDER BY s.day",
        "MATCH (n:Cook), (e:Event) RETURN duration.between(n.day, e.start).days AS d",
        "MATCH (n:Cook) WITH collect(n.day) AS ds UNWIND ds AS d RETURN d.year AS y",
        "MATCH (n:Cook) WITH collect(DISTINCT n.day) AS ds RETURN ds[0].year AS a, head(ds).year AS b",
        "MATCH (n:Cook) RETURN [d IN collect(n.day) | d.year] AS y",
        "MATCH (n:Cook) UNWIND n.days AS d RETURN d.year AS y",
        "MATCH (n:Cook) RETURN n.days[0].year AS y, [d IN n.days WHERE d.year > 2020 | d.month] AS m",
        "MATCH (n:Cook) RETURN max(n.day).year AS y, coalesce(n.day, date()).year AS z",
        "MATCH (n:Cook) WITH n.name AS name, min(n.day) AS first RETURN name, first.year AS y",
        "MATCH (n:Cook)-[r:AT]->(e) WITH r, e RETURN r.since.year AS a, e.start.hour AS b",
        "MATCH (n:Cook) RETURN CASE WHEN n.name = 'x' THEN n.day ELSE date() END.year AS y",
        "MATCH (n:Cook) RETURN reduce(a = date(), x IN n.days | CASE WHEN x > a THEN x ELSE a END).year AS y",
        "MATCH (n:Cook) CALL (n) { MATCH (n)-[:AT]->(e) RETURN e.start AS s } RETURN s.year AS y",
        "MATCH (n:Cook) RETURN n.day AS d UNION MATCH (e:Event) RETURN e.start AS d",
        "MATCH (n:Cook) RETURN date.truncate('month', n.day).day AS d, duration({days: 2}).days AS e",
        "MATCH (n:Cook) RETURN COLLECT { MATCH (e:Event) RETURN e.start }[0].year AS y",
    ],
)
def test_components_of_dates_and_points_may_be_read(text: str) -> None:
    report = report_on(text, SCHEMA)
    assert report.query is not None, report.findings


@pytest.mark.parametrize(
    "call",
    ["point(n)", "date(n)", "duration(n)", "datetime(n)", "date.truncate('day', date(), n)", "point(max(n))"],
)
def test_a_node_is_not_taken_for_a_map_of_components(call: str) -> None:
    report = report_on(f"MATCH (n:Cook) RETURN {call} AS p", SCHEMA)
    assert [f.code for f in report.findings] == ["SEM2"]
    assert "takes no node or relationship" in report.findings[0].message
    assert report_on(f"MATCH ()-[n:AT]->() RETURN {call} AS p", SCHEMA).query is None


def test_what_may_be_a_node_is_none_where_a_component_is_hidden() -> None:
    text = "MATCH (n:Cook) RETURN date({a: n}.a) AS p"
    report = report_on(text, SCHEMA)
    assert [f.code for f in report.findings] == ["SCH3"]
    bare = tuple(x.model_copy(update={"hidden": ()}) for x in SCHEMA.labels)
    assert report_on(text, SCHEMA.model_copy(update={"labels": bare})).query is not None
    assert report_on("RETURN date($d) AS d", SCHEMA, parameters={"d": None}).query is not None


@pytest.mark.parametrize(
    "index",
    [
        "'embedding_' + 1",
        "$k + size([])",
        "$k + 1 - 0 + 'x'",
        "1 + $k",
        "'a' || 'b'",
        "-1 + 'x'",
        "(1 - 1) + $k",
        "toString(1)",
    ],
)
def test_a_computed_property_is_refused_whatever_it_ends_in(index: str) -> None:
    report = report_on(f"MATCH (n:Cook) RETURN n[{index}] AS e", SCHEMA, parameters={"k": "embedding_"})
    assert report.query is None, report.query
    assert any("a property is named, not computed" in f.message for f in report.findings)


@pytest.mark.parametrize(
    "index", ["size(n.days) - 1", "toInteger(n.name) % 2", "1 + 1", "-1", "i - 1", "i * 2 + 1"]
)
def test_a_computed_place_in_a_list_may_be_read(index: str) -> None:
    text = f"MATCH (n:Cook) UNWIND [1, 2] AS i RETURN split(n.name, ' ')[{index}] AS e"
    report = report_on(text, SCHEMA)
    assert report.query is not None, report.findings
