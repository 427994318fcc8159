"""Every construct of the read-only grammar in five queries at least, in both cases and printed."""

from __future__ import annotations

from collections import Counter
from functools import cache

import lark
import pytest

from cypher.syntax import words
from cypher.syntax.lexer import TokenPass
from cypher.syntax.parse import grammar_text, parse
from cypher.syntax.tokens import tokenise
from cypher.syntax.write import write

LEAST = 5
"""Queries of each construct."""
QUERIES = """
MATCH (ship:Ship) RETURN ship.name
MATCH (ship:Ship {flag: 'NO'}) RETURN ship.name AS name, ship.tons AS tons ORDER BY tons DESC, name ASC
MATCH (ship:Ship WHERE ship.tons > 900) RETURN DISTINCT ship.flag ORDER BY ship.flag ASCENDING
MATCH (ship)-[:MOORED_AT]->(port:Port) RETURN port.name, count(*) AS c ORDER BY c DESCENDING SKIP 2 LIMIT 3
MATCH (port:Port)<-[stay:MOORED_AT {nights: 2}]-(ship) RETURN stay.since, ship.name OFFSET 1 LIMIT 1
MATCH (port:Port)-[:NEAR]-(other:Port) WHERE port.name < other.name RETURN port.name, other.name
OPTIONAL MATCH (pilot:Pilot) RETURN pilot.name ORDER BY pilot.name ASC SKIP 0
MATCH (port:Port) OPTIONAL MATCH (port)<-[:SERVES]-(pilot:Pilot) RETURN port.name, count(pilot) AS pilots
MATCH (port:Port) OPTIONAL MATCH (port)-->(light) WHERE light.height >= 20 RETURN port.name, light.height
OPTIONAL MATCH (ship:Ship) WHERE ship.tons IS NULL RETURN ship.name
MATCH (ship:Ship) OPTIONAL MATCH (ship)-[:CARRIES]->(load) RETURN ship.name, collect(load.name) AS loads
MATCH (a:Port)-->(b)-->(c), (c)--(d:Port) RETURN a.name, d.name
MATCH DIFFERENT RELATIONSHIPS (a)-[:NEAR]-(b)-[:NEAR]-(c) RETURN a.name, c.name
MATCH DIFFERENT RELATIONSHIPS (a:Port)-[:NEAR]->(b) WHERE b.open RETURN b.name
MATCH DIFFERENT RELATIONSHIP BINDINGS (a)-[:NEAR]->(b) RETURN b.name
MATCH DIFFERENT RELATIONSHIP BINDINGS (a)-->(b)-->(c) RETURN count(*) AS paths
MATCH DIFFERENT RELATIONSHIPS (a)-->(b) RETURN a.name
MATCH REPEATABLE ELEMENTS (a:Port)-[:NEAR]->(b:Port) RETURN a.name, b.name
MATCH REPEATABLE ELEMENTS (a)-->(b)<--(c) RETURN c.name
MATCH REPEATABLE ELEMENT BINDINGS (a)-->(b) RETURN b.name
MATCH REPEATABLE ELEMENT BINDINGS (a)--(b) RETURN count(*) AS pairs
MATCH REPEATABLE ELEMENT BINDINGS (a)<--(b) RETURN a.name
MATCH REPEATABLE ELEMENTS (a)-[:NEAR]-(b) WHERE a.name <> b.name RETURN a.name
MATCH REPEATABLE ELEMENTS (a)-[r]->(b) RETURN type(r) AS kind
MATCH (s:Ship) USING INDEX s:Ship(name) WHERE s.name = $text RETURN s.tons
MATCH (s:Ship) USING INDEX SEEK s:Ship(name) WHERE s.name = 'Heron' RETURN s.tons
MATCH (s:Ship) USING INDEX SEEK s:Ship(name, tons) WHERE s.name = 'Heron' AND s.tons = 4 RETURN s.flag
MATCH (s:Ship) USING TEXT INDEX SEEK s:Ship(name) WHERE s.name STARTS WITH 'H' RETURN s.name
MATCH (s:Ship) USING TEXT INDEX s:Ship(name) WHERE s.name ENDS WITH 'n' RETURN s.name
MATCH (s:Ship) USING TEXT INDEX s:Ship(flag) WHERE s.flag CONTAINS 'N' RETURN s.name
MATCH (s:Ship) USING TEXT INDEX SEEK s:Ship(flag) WHERE s.flag = 'NO' RETURN s.name
MATCH (s:Ship) USING TEXT INDEX s:Ship(name) WHERE s.name = 'Tern' RETURN s.name
MATCH (s:Ship) USING RANGE INDEX s:Ship(tons) WHERE s.tons > 3 RETURN s.name
MATCH (s:Ship) USING RANGE INDEX SEEK s:Ship(tons) WHERE s.tons = 3 RETURN s.name
MATCH (s:Ship) USING RANGE INDEX s:Ship(built) WHERE s.built < $number RETURN s.name
MATCH (s:Ship) USING RANGE INDEX s:Ship(built) USING RANGE INDEX s:Ship(tons) WHERE s.built < s.tons RETURN s
MATCH (s:Ship) USING RANGE INDEX SEEK s:Ship(built) WHERE s.built = 1999 RETURN s.name
MATCH (p:Port) USING POINT INDEX p:Port(place) WHERE p.place = $place RETURN p.name
MATCH (p:Port) USING POINT INDEX SEEK p:Port(place) WHERE p.place = point({x: 1, y: 2}) RETURN p.name
MATCH (p:Port) USING POINT INDEX p:Port(harbour) WHERE p.harbour IS NOT NULL RETURN p.name
MATCH (p:Port) USING POINT INDEX SEEK p:Port(harbour) WHERE p.harbour = $place RETURN p.name
MATCH (p:Port) USING POINT INDEX p:Port(place) WHERE p.place <> $place RETURN p.name
MATCH (p:Port) USING SCAN p:Port WHERE p.open RETURN p.name
MATCH (p:Port), (s:Ship) USING SCAN p:Port USING SCAN s:Ship WHERE p.name = s.home RETURN s.name
MATCH (l:Light) USING SCAN l:Light WHERE NOT l.lit RETURN l.name
MATCH (s:Ship) USING SCAN s:Ship WHERE s.name =~ 'H.*' RETURN s.name
MATCH (o:Order) USING SCAN o:Order WHERE o.open XOR o.paid RETURN o.name
MATCH (a:Port)-->(b)-->(c) USING JOIN ON b WHERE a.name <> c.name RETURN b.name
MATCH (a:Port)-->(b)-->(c:Port) USING JOIN ON b RETURN b.name
MATCH (a)-->(b)-->(c)-->(d) USING JOIN ON b, c RETURN d.name
MATCH (a:Ship)--(b)--(c:Ship) USING JOIN ON a USING JOIN ON c RETURN b
MATCH (a:Ship)--(b)--(c:Ship) USING JOIN ON b WHERE a.tons = c.tons RETURN b
MATCH way = (a:Port)-[:NEAR*1..3]-(b:Port) RETURN length(way) AS steps
MATCH way = (a)-[:NEAR*2]->(b) RETURN nodes(way) AS stops
MATCH (a)-[r:NEAR*..4]->(b) RETURN size(r) AS steps
MATCH (a)-[*2..]->(b:Port) RETURN b.name
MATCH (a)-[*]->(b:Port) WHERE a.name = 'Hull' RETURN b.name
MATCH way = ANY (a:Port)-[:NEAR]->{1,3}(b:Port) RETURN length(way) AS steps
MATCH way = ANY PATH (a:Port)-[:NEAR]->+(b) RETURN length(way) AS steps
MATCH way = ANY PATHS (a:Port)-[:NEAR]->*(b) RETURN length(way) AS steps
MATCH way = ANY 3 PATHS (a:Port)-[:NEAR]->+(b) RETURN length(way) AS steps
MATCH way = ANY 2 PATH (a:Port)-[:NEAR]-{2}(b) RETURN length(way) AS steps
MATCH way = ALL (a:Port)-[:NEAR]->{,2}(b) RETURN length(way) AS steps
MATCH way = ALL PATHS (a:Port)-[:NEAR]->{1,}(b) RETURN length(way) AS steps
MATCH way = ALL PATH (a:Port)-[:NEAR]-{1,2}(b) RETURN b.name
MATCH way = ALL SHORTEST (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = ALL SHORTEST PATHS (a:Port)-[:NEAR]->*(b) RETURN b.name
MATCH way = ANY SHORTEST (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = ANY SHORTEST PATH (a:Port)-[:NEAR]-*(b:Light) RETURN b.name
MATCH way = SHORTEST 2 (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST 2 PATHS (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST 2 GROUPS (a:Port)-[:NEAR]->*(b) RETURN b.name
MATCH way = SHORTEST 1 GROUP (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST GROUP (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST 3 PATH GROUPS (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST PATH GROUP (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST 1 PATHS GROUPS (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST PATHS GROUPS (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST 4 PATH GROUP (a:Port)-[:NEAR]->+(b) RETURN b.name
MATCH way = SHORTEST 5 GROUP (a:Port)-->+(b:Light) RETURN b.name
MATCH way = SHORTEST 5 GROUPS (a:Port)<--+(b:Light) RETURN b.name
MATCH way = shortestPath((a:Port)-[:NEAR*..5]-(b:Port)) RETURN length(way) AS steps
MATCH way = allShortestPaths((a:Port)-[:NEAR*..5]->(b:Port)) RETURN length(way) AS steps
MATCH (a:Port), (b:Port) WHERE shortestPath((a)-[:NEAR*..3]-(b)) IS NOT NULL RETURN a.name
MATCH (a:Port), (b:Light) RETURN shortestPath((a)-[*..3]->(b)) AS way
MATCH (a:Port), (b:Light), way = shortestPath((a)<-[*..3]-(b)) RETURN way
MATCH (a:Port) ((x)-[:NEAR]->(y)){2,4} (b:Port) RETURN a.name, b.name
MATCH (a:Port) ((x)-[:NEAR]->(y) WHERE x.open)+ (b) RETURN b.name
MATCH (a:Port) (leg = (x)-[:NEAR]->(y))* (b) RETURN b.name
MATCH (a:Port) ((x)<-[:NEAR]-(y) WHERE y.name <> 'Hull'){,3} (b) RETURN b.name
MATCH ((x:Port)-[:NEAR]->(y:Port)){3} RETURN size(x) AS steps
MATCH (a:Port)-[r:NEAR WHERE r.miles < 10]->(b) RETURN b.name
MATCH (a:Port)-[r {miles: 3}]-(b) RETURN b.name
MATCH (a:Port $map)-[r $more]->(b) RETURN b.name
MATCH (a:Port|Light) RETURN a.name
MATCH (a:Port|Light|Ship) RETURN a.name
MATCH (a)-[:NEAR|SERVES]->(b) RETURN b.name
MATCH (a)-[:NEAR|:SERVES|:CARRIES]->(b) RETURN b.name
MATCH (a:Port&Open) RETURN a.name
MATCH (a:Port&!Closed) RETURN a.name
MATCH (a:Port:Open) RETURN a.name
MATCH (a:!Ship) RETURN a.name
MATCH (a:!(Ship|Port)) RETURN a.name
MATCH (a:(Port|Light)&!Closed) RETURN a.name
MATCH (a:%) RETURN count(a) AS every
MATCH (a:!%) RETURN count(a) AS bare
MATCH (a:Port&%)-[:%]->(b) RETURN b
MATCH (a IS Port) RETURN a.name
MATCH (a IS Port|Light)-[r IS NEAR]->(b) RETURN b.name
MATCH (a)-[:%]-(b:%) RETURN a
MATCH (a:Ship|%) RETURN a
MATCH (a:$($label)) RETURN a.name
MATCH (a:$('Port')) RETURN a.name
MATCH (a:$all($labels)) RETURN a.name
MATCH (a:$all(['Port', 'Open'])) RETURN a.name
MATCH (a:$any($labels)) RETURN a.name
MATCH (a:$any(['Port', 'Light'])&!Closed) RETURN a.name
MATCH (a)-[:$any($types)]->(b) RETURN b.name
MATCH (a:$all($labels)|Light) RETURN a.name
MATCH (a:$($label)&Port) WHERE a:$any($labels) RETURN a.name
MATCH (a:$($label)|$($text)) WHERE a:$all($labels) RETURN a.name
MATCH (a) WHERE a:$all(['Port']) OR a:$any(['Light']) RETURN a.name
MATCH (a:$($label)) WHERE a:$($text) RETURN a.name
MATCH (a) WHERE a:Port RETURN a.name
MATCH (a) WHERE a:Port|Light AND NOT a:Closed RETURN a.name
MATCH (a)-[r]->(b) WHERE r:NEAR RETURN b.name
MATCH (a) RETURN a:Port AS port, a:!Port AS other
MATCH (a) WHERE a IS Port RETURN a.name
MATCH (a) WHERE a IS Port|Light RETURN a.name
MATCH (a) WHERE a IS !Ship OR a.open RETURN a.name
MATCH (a) RETURN a IS Port&Open AS open
MATCH (a) WHERE NOT a IS Closed RETURN a.name
MATCH (s:Ship) WITH s.flag AS flag, count(*) AS ships WHERE ships > 1 RETURN flag ORDER BY flag
MATCH (s:Ship) WITH DISTINCT s.flag AS flag RETURN collect(flag) AS flags
MATCH (s:Ship) WITH * WHERE s.tons > 5 RETURN s.name
MATCH (s:Ship) WITH s ORDER BY s.tons DESC LIMIT 3 MATCH (s)-->(p:Port) RETURN p.name
MATCH (s:Ship) WITH s SKIP 2 RETURN *
MATCH (s:Ship) WITH s ORDER BY s.name ASCENDING OFFSET 2 RETURN s.name ORDER BY s.name DESCENDING
MATCH (s:Ship) WITH s, s.tons AS tons ORDER BY tons ASC RETURN *, tons * 2 AS twice
MATCH (s:Ship) WITH *, s.tons AS tons RETURN s.name, tons ORDER BY tons DESCENDING
WITH 1 AS one WITH *, one + 1 AS two RETURN *
WITH [1, 2, 3] AS list UNWIND list AS x RETURN x ORDER BY x DESCENDING OFFSET 1
UNWIND $numbers AS x RETURN x ORDER BY x ASCENDING OFFSET 0
UNWIND [] AS x RETURN x ORDER BY x ASCENDING
UNWIND [[1], [2, 3]] AS row UNWIND row AS x RETURN sum(x) AS total
UNWIND range(1, 5) AS x WITH x WHERE x % 2 = 0 RETURN x ORDER BY x DESCENDING
MATCH (s:Ship) UNWIND s.flags AS flag RETURN DISTINCT flag ORDER BY flag OFFSET $number
RETURN 1 AS x UNION RETURN 2 AS x
MATCH (s:Ship) RETURN s.name AS name UNION MATCH (p:Port) RETURN p.name AS name
RETURN 1 AS x UNION ALL RETURN 1 AS x UNION ALL RETURN 2 AS x
MATCH (s:Ship) RETURN s.name AS name UNION DISTINCT MATCH (p:Port) RETURN p.name AS name
RETURN 1 AS x UNION DISTINCT RETURN 2 AS x UNION DISTINCT RETURN 3 AS x
UNWIND [1] AS x RETURN x UNION ALL MATCH (n) RETURN count(n) AS x
MATCH (s:Ship) CALL (s) { MATCH (s)-->(p:Port) RETURN count(p) AS ports } RETURN s.name, ports
MATCH (s:Ship) CALL (*) { MATCH (s)-->(p) RETURN p LIMIT 1 } RETURN p.name
MATCH (s:Ship), (p:Port) CALL (s, p) { RETURN s.tons + p.berths AS both } RETURN both
CALL () { MATCH (s:Ship) RETURN count(*) AS ships } RETURN ships
CALL () { RETURN 1 AS x UNION RETURN 2 AS x } RETURN x
MATCH (s:Ship) CALL { WITH s MATCH (s)-->(p) RETURN p.name AS port } RETURN port
CALL { MATCH (s:Ship) RETURN s.name AS name UNION ALL MATCH (p:Port) RETURN p.name AS name } RETURN name
MATCH (s:Ship) OPTIONAL CALL (s) { MATCH (s)-->(p:Port) RETURN p } RETURN s.name, p.name
MATCH (s:Ship) OPTIONAL CALL (*) { MATCH (s)-->(p:Port) RETURN p.name AS port } RETURN port
CALL db.labels() YIELD label RETURN label
CALL db.labels() YIELD label AS name WHERE name STARTS WITH 'P' RETURN name
CALL db.labels() YIELD *
CALL db.propertyKeys() YIELD * WHERE propertyKey ENDS WITH 's' RETURN propertyKey
CALL db.relationshipTypes() YIELD relationshipType AS kind RETURN collect(kind) AS kinds
CALL db.index.fulltext.queryNodes('words', $text, {limit: 3}) YIELD node, score RETURN node.name, score
CALL db.index.vector.queryNodes('ports', 4, $vector) YIELD node AS port, score AS near RETURN port.name, near
OPTIONAL CALL db.labels() YIELD label RETURN label
CALL db.relationshipTypes() YIELD * RETURN relationshipType
CALL db.labels
CALL db.propertyKeys()
MATCH (s:Ship) FINISH
MATCH (s:Ship) WHERE s.tons > 2 FINISH
UNWIND [1, 2] AS x FINISH
MATCH (s:Ship) WITH s LIMIT 1 FINISH
CALL () { RETURN 1 AS x } FINISH
RETURN true AS yes, false AS no, null AS nothing
RETURN NOT true AS a, NOT NOT false AS b, true AND NOT null AS c
MATCH (s:Ship) WHERE s.open = true AND s.sold = false OR s.tons IS NULL RETURN s.name
MATCH (s:Ship) WHERE (s.open OR s.sold) AND (s.tons > 1 XOR s.new) RETURN s.name
RETURN true XOR false AS x, true XOR true XOR false AS y
RETURN 1 = 1.0 AS a, 1 <> 2 AS b, null = null AS c
RETURN 1 < 2 AS a, 1 <= 2 AS b, 2 > 1 AS c, 2 >= 1 AS d
MATCH (s:Ship) WHERE 1 < s.tons <= 9 RETURN s.name
MATCH (s:Ship) WHERE 1 <= s.decks < 9 AND s.tons >= 4 RETURN s.name
MATCH (s:Ship) WHERE s.tons >= 10 AND s.decks <= 3 AND s.name <> 'Tern' RETURN s.name
MATCH (s:Ship) WHERE s.built >= 1990 AND s.built <= 1999 AND s.flag <> 'NO' RETURN s.name
RETURN 1 + 2 - 3 AS a, 2 * 3 / 4 AS b, 7 % 4 AS c, 2 ^ 3 ^ 2 AS d
RETURN -1 AS a, +2 AS b, - (3) AS c, 4 - -5 AS d
RETURN (1 + 2) * (3 - 4) AS a, 8 / (2 + 2) % 3 AS b
MATCH (s:Ship) RETURN s.tons / 1000.0 AS kilotons, s.tons ^ 0.5 AS root, s.tons % 10 AS rest
MATCH (s:Ship) RETURN -s.depth AS depth, +s.tons AS tons, 10 ^ 2 AS hundred, 9 / 3 AS three
RETURN 'a' || 'b' AS ab
RETURN 'a' || 'b' || $text AS all_of_it
MATCH (s:Ship) RETURN s.name || ' of ' || s.flag AS said
MATCH (s:Ship) WHERE s.flags || ['NO'] = ['SE', 'NO'] RETURN s.name
RETURN [1] || [2, 3] AS list, 2 ^ 10 AS power
MATCH (s:Ship) RETURN 1.5e3 * s.tons AS much, .25 AS quarter, 4 ^ 2 AS sixteen, s.tons / 3 AS third
RETURN 'x' =~ '[a-z]' AS small
MATCH (s:Ship) WHERE s.name =~ '(?i)heron' RETURN s.name
MATCH (s:Ship) WHERE NOT s.name =~ 'T.*' AND s.flag =~ 'N.' RETURN s.name
MATCH (s:Ship) WHERE s.name STARTS WITH 'He' AND s.name ENDS WITH 'on' RETURN s.name
MATCH (s:Ship) WHERE NOT s.name STARTS WITH $text RETURN s.name
MATCH (s:Ship) WHERE s.name CONTAINS 'er' OR NOT s.name CONTAINS $text RETURN s.name
MATCH (s:Ship) WHERE toLower(s.name) CONTAINS 'er' AND s.name ENDS WITH toUpper('n') RETURN s.name
MATCH (s:Ship) WHERE 'NO' IN s.flags AND s.name CONTAINS 'x' RETURN s.name
MATCH (s:Ship) WHERE s.flag IN ['NO', 'SE'] AND NOT s.name IN $texts RETURN s.name
RETURN 'abc' STARTS WITH 'a' AS a, 'abc' ENDS WITH 'c' AS c, 'abc' CONTAINS 'b' AS b, 1 IN [1] AS one
MATCH (s:Ship) WHERE s.tons IS NOT NULL RETURN s.name
RETURN null IS NULL AS a, 1 IS NOT NULL AS b, (1 + null) IS NULL AS c
MATCH (s:Ship) WHERE s.tons IS :: INTEGER RETURN s.name
MATCH (s:Ship) WHERE s.tons IS NOT :: FLOAT RETURN s.name
MATCH (s:Ship) WHERE s.flags IS TYPED LIST<STRING> RETURN s.name
MATCH (s:Ship) WHERE s.flags IS NOT TYPED LIST<STRING NOT NULL> RETURN s.name
MATCH (s:Ship) WHERE s.tons :: INTEGER NOT NULL RETURN s.name
RETURN 1 :: INTEGER AS a, 'x' :: STRING AS b, true :: BOOLEAN AS c
RETURN 1.5 IS TYPED FLOAT AS a, null IS TYPED ANY AS b
MATCH (s:Ship) WHERE s.built :: DATE OR s.built :: INTEGER | FLOAT RETURN s.name
RETURN [1] :: LIST<INTEGER> AS a, {a: 1} :: MAP AS b
MATCH (s:Ship) WHERE s.tons IS TYPED INTEGER | FLOAT RETURN s.name
RETURN $text IS NOT TYPED STRING AS no, $number :: FLOAT AS yes
MATCH (s:Ship) WHERE s.name IS NORMALIZED RETURN s.name
MATCH (s:Ship) WHERE s.name IS NOT NORMALIZED RETURN s.name
MATCH (s:Ship) WHERE s.name IS NFC NORMALIZED RETURN s.name
MATCH (s:Ship) WHERE s.name IS NOT NFKD NORMALIZED RETURN s.name
RETURN 'x' IS NFD NORMALIZED AS a, 'y' IS NFKC NORMALIZED AS b
MATCH (s:Ship) WHERE s.name IS NOT NFD NORMALIZED RETURN s.name
MATCH (s:Ship) RETURN s.decks[0] AS first, s.decks[-1] AS last
RETURN [1, 2, 3][1] AS two, $numbers[0] AS zero, {a: [4]}['a'][0] AS four
RETURN [1, 2, 3][0..2] AS a, [1, 2, 3][..2] AS b, [1, 2, 3][1..] AS c
MATCH (s:Ship) RETURN s.flags[..1] AS some, s['name'] AS name
MATCH (s:Ship) RETURN collect(s.name)[..3] AS names, collect(s.tons)[1..$number] AS tons
UNWIND [[1, 2], [3]] AS row RETURN row[0] AS x, row[1..] AS rest
WITH {a: {b: [1, 2]}} AS map RETURN map.a.b[0..1] AS x, map.a.b[1] AS y
RETURN $map.key AS a, $rows[0].name AS b
MATCH (s:Ship) RETURN s.place.x AS x, date().year AS year, duration.between(s.built, date()).years AS age
RETURN count(*) AS c, rand() AS r, pi() AS p
MATCH (s:Ship) RETURN count(DISTINCT s.flag) AS flags, sum(ALL s.tons) AS tons, avg(s.tons) AS mean
MATCH (s:Ship) RETURN min(s.tons) AS least, max(s.tons) AS most, count(*) AS ships
MATCH (s:Ship) RETURN count(DISTINCT s) AS ships, collect(DISTINCT s.flag) AS flags
MATCH (s:Ship) RETURN s.flag, count(*) AS ships, percentileCont(s.tons, 0.5) AS median
MATCH (s:Ship) WITH count(*) AS every RETURN every / 2 AS half
MATCH (s:Ship) RETURN count(ALL s.name) AS names, sum(DISTINCT s.tons) AS tons
RETURN coalesce(null, 1) AS a, size([1]) AS b, toString(1) AS c, exists((:Port)-->()) AS d
RETURN trim('  x ') AS a, trim(BOTH FROM ' y ') AS b
RETURN trim(BOTH '-' FROM '-x-') AS a, trim(LEADING '0' FROM '007') AS b
RETURN trim(TRAILING FROM 'x  ') AS a, trim(LEADING FROM '  x') AS b
RETURN trim(TRAILING '!' FROM 'x!') AS a, trim(BOTH $text FROM 'y') AS b
MATCH (s:Ship) RETURN trim(LEADING 'S' FROM s.name) AS a, trim(TRAILING 'n' FROM s.name) AS b
MATCH (s:Ship) RETURN trim(BOTH ' ' FROM s.name) AS a, trim(LEADING s.flag FROM s.name) AS b
MATCH (s:Ship) RETURN trim(TRAILING s.flag FROM s.name) AS a, trim(BOTH FROM s.name) AS b
RETURN trim(FROM (['a'] + 'b')) AS a, trim(BOTH 'x' FROM (['x'][0])) AS b
RETURN trim(LEADING 'ab' FROM 'abc') AS a, trim(TRAILING 'c' FROM 'abc') AS b
MATCH (s:Ship) RETURN CASE WHEN s.tons > 9 THEN 'big' ELSE 'small' END AS size
MATCH (s:Ship) RETURN CASE s.flag WHEN 'NO' THEN 1 WHEN 'SE', 'DK' THEN 2 ELSE 0 END AS code
MATCH (s:Ship) RETURN CASE WHEN s.open THEN 1 END AS open, CASE WHEN s.sold THEN 1 ELSE null END AS sold
MATCH (s:Ship) RETURN CASE s.tons WHEN < 5 THEN 'a' WHEN >= 9 THEN 'b' ELSE 'c' END AS size
MATCH (s:Ship) RETURN CASE s.tons WHEN > 5 THEN 'a' WHEN = 5 THEN 'b' WHEN <> 6 THEN 'c' END AS size
MATCH (s:Ship) RETURN CASE s.tons WHEN <= 5 THEN 'a' WHEN 6, < 9 THEN 'b' ELSE 'c' END AS size
RETURN CASE 4 WHEN >= 4 THEN 'yes' END AS a, CASE 5 WHEN <> 4 THEN 'yes' END AS b
RETURN CASE 4 WHEN < 4 THEN 'no' WHEN > 4 THEN 'no' ELSE 'yes' END AS a
MATCH (s:Ship) RETURN CASE s.name WHEN STARTS WITH 'H' THEN 1 WHEN ENDS WITH 'n' THEN 2 ELSE 3 END AS k
MATCH (s:Ship) RETURN CASE s.name WHEN =~ 'H.*' THEN 1 ELSE 2 END AS k
RETURN CASE 'x' WHEN STARTS WITH 'y' THEN 1 END AS a, CASE 'x' WHEN =~ '.' THEN 1 END AS b
RETURN CASE 'x' WHEN ENDS WITH 'x' THEN 1 ELSE 0 END AS a
MATCH (s:Ship) RETURN CASE s.flag WHEN =~ 'N.' THEN 'north' ELSE 'south' END AS side
MATCH (s:Ship) RETURN CASE s.tons WHEN IS NULL THEN 'unknown' WHEN IS NOT NULL THEN 'known' END AS k
RETURN CASE null WHEN IS NULL THEN 1 END AS a
RETURN CASE 1 WHEN IS NOT NULL THEN 1 END AS a
MATCH (s:Ship) RETURN CASE s.name WHEN IS NULL THEN '?' ELSE s.name END AS name
MATCH (s:Ship) RETURN CASE s.sold WHEN IS NOT NULL, true THEN 1 ELSE 0 END AS sold
MATCH (s:Ship) RETURN CASE s.tons WHEN IS :: INTEGER THEN 1 WHEN IS NOT TYPED FLOAT THEN 2 END AS k
RETURN CASE 1 WHEN IS TYPED INTEGER THEN 1 ELSE 0 END AS a
RETURN CASE 'x' WHEN IS :: STRING NOT NULL THEN 1 END AS a
RETURN CASE $number WHEN IS NOT :: FLOAT THEN 1 ELSE 2 END AS a
MATCH (s:Ship) RETURN CASE s.flags WHEN IS TYPED LIST<STRING> THEN size(s.flags) ELSE 1 END AS flags
MATCH (s:Ship) RETURN CASE s.name WHEN IS NORMALIZED THEN 1 WHEN IS NOT NFC NORMALIZED THEN 2 END AS k
RETURN CASE 'x' WHEN IS NFC NORMALIZED THEN 1 END AS a
RETURN CASE 'x' WHEN IS NOT NORMALIZED THEN 1 ELSE 0 END AS a
RETURN CASE $text WHEN IS NFKC NORMALIZED THEN 1 ELSE 0 END AS a
MATCH (s:Ship) RETURN CASE s.name WHEN IS NFD NORMALIZED THEN s.name ELSE '' END AS name
RETURN [] AS none, [1] AS one, [1, 'a', null, [2]] AS some
RETURN [x IN [1, 2] | x * 2] AS a, [x IN [1, 2] WHERE x > 1] AS b
MATCH (s:Ship) RETURN [f IN s.flags WHERE f <> 'NO' | toLower(f)] AS flags
MATCH (s:Ship) WHERE size([f IN s.flags WHERE f = 'NO']) > 1 RETURN s.name
RETURN [x IN range(1, 9) WHERE x % 3 = 0 | x ^ 2] AS squares
RETURN [x IN $numbers] AS same, [x IN [[1], [2]] | [y IN x | y + 1]] AS nested
MATCH (s:Ship) RETURN [(s)-->(p:Port) | p.name] AS ports
MATCH (s:Ship) RETURN [(s)-[r:CARRIES]->(l) WHERE l.tons > 1 | r.since] AS since
MATCH (s:Ship) RETURN [way = (s)-->()-->(l:Light) | length(way)] AS steps
MATCH (s:Ship) RETURN size([(s)<--(p:Pilot) WHERE p.open | p]) AS pilots
MATCH (s:Ship) WITH [(s)--(other:Ship) | other.name] AS others RETURN others[0] AS one
RETURN {} AS nothing, {a: 1} AS one, {a: 1, b: {c: [2]}} AS more
MATCH (s:Ship {name: $text, flag: 'NO'}) RETURN {name: s.name, tons: s.tons} AS ship
RETURN point({x: 1.0, y: 2.0}) AS place, date({year: 2020, month: 2}) AS day
MATCH (s:Ship) RETURN s {.name, .tons} AS ship
MATCH (s:Ship) RETURN s {.*} AS ship
MATCH (s:Ship)-->(p:Port) RETURN s {.*, port: p.name} AS ship
MATCH (s:Ship)-->(p:Port) RETURN s {.name, p} AS ship
MATCH (s:Ship) RETURN s {} AS bare
MATCH (s:Ship) WITH s, s.tons * 2 AS twice RETURN s {.name, twice, half: s.tons / 2} AS ship
MATCH (s:Ship) WITH s, 1 AS one RETURN s {one, .*} AS ship
MATCH (s:Ship) WITH s, 1 AS one, 2 AS two RETURN s {one, two} AS ship
MATCH (s:Ship)-->(p) RETURN p {.*, s} AS port
MATCH (p:Port) RETURN collect(p {.*}) AS ports
MATCH (s:Ship)-->(p) RETURN s {.name, ports: collect(p {.name})} AS ship
MATCH (s:Ship) WHERE EXISTS { (s)-->(:Port) } RETURN s.name
MATCH (s:Ship) WHERE EXISTS { MATCH (s)-->(p:Port) WHERE p.open } RETURN s.name
MATCH (s:Ship) WHERE NOT EXISTS { (s)-[:CARRIES]->(l) WHERE l.tons > 2 } RETURN s.name
MATCH (s:Ship) WHERE EXISTS { MATCH (s)-->(p) RETURN p.name } RETURN s.name
MATCH (s:Ship) RETURN EXISTS { (s)-->(), (s)<--() } AS both_ways
MATCH (s:Ship) RETURN COUNT { (s)-->(:Port) } AS ports
MATCH (s:Ship) WHERE COUNT { MATCH (s)-->(p) WHERE p.open RETURN DISTINCT p } > 2 RETURN s.name
MATCH (s:Ship) RETURN s.name ORDER BY COUNT { (s)--() } DESCENDING LIMIT 1
MATCH (s:Ship) WHERE COUNT { (s)-[:CARRIES]->(l) WHERE l.tons > 1 } = 0 RETURN s.name
MATCH (s:Ship) RETURN COUNT { MATCH (s)-->(a) RETURN a UNION MATCH (s)<--(a) RETURN a } AS near
MATCH (s:Ship) RETURN COLLECT { MATCH (s)-->(p:Port) RETURN p.name } AS ports
MATCH (s:Ship) RETURN COLLECT { MATCH (s)-->(p) RETURN p.name ORDER BY p.name LIMIT 2 } AS two
MATCH (s:Ship) WHERE 'Hull' IN COLLECT { MATCH (s)-->(p) RETURN p.name } RETURN s.name
MATCH (s:Ship) RETURN size(COLLECT { MATCH (s)--(x) RETURN DISTINCT x.name }) AS names
MATCH (s:Ship) WITH s, COLLECT { WITH s MATCH (s)-->(p) RETURN p } AS ports RETURN ports[0] AS one
MATCH (s:Ship) WHERE all(f IN s.flags WHERE f <> '') RETURN s.name
MATCH (s:Ship) WHERE any(f IN s.flags WHERE f STARTS WITH 'N') RETURN s.name
MATCH (s:Ship) WHERE none(f IN s.flags WHERE f = 'NO') RETURN s.name
MATCH (s:Ship) WHERE single(f IN s.flags WHERE f = 'NO') RETURN s.name
MATCH way = (a:Port)-->(b) WHERE all(n IN nodes(way) WHERE n.open) RETURN b.name
MATCH (s:Ship) RETURN reduce(total = 0, d IN s.decks | total + d) AS decks
RETURN reduce(text = '', w IN ['a', 'b'] | text || w) AS ab
MATCH way = (a:Port)-[rs:NEAR*1..3]->(b) RETURN reduce(miles = 0.0, r IN rs | miles + r.miles) AS miles
RETURN reduce(most = 0, x IN $numbers | CASE WHEN x > most THEN x ELSE most END) AS most
MATCH (s:Ship) WHERE reduce(n = 1, d IN s.decks | n * d) > 4 RETURN s.name
MATCH (s:Ship) WHERE (s)-->(:Port) RETURN s.name
MATCH (s:Ship) WHERE NOT (s)-[:CARRIES]->() RETURN s.name
MATCH (s:Ship) WHERE (s)-->(:Port) AND NOT (s)<--(:Pilot) RETURN s.name
MATCH (s:Ship) WHERE (s)-[:NEAR|SERVES]-(:Light {lit: true}) OR s.open RETURN s.name
MATCH (s:Ship) WHERE exists((s)-->()-->(:Light)) RETURN s.name
MATCH (s:Ship) RETURN s.name ORDER BY s.flag ASC, s.tons DESC SKIP 3
MATCH (s:Ship) RETURN s {.name} AS ship ORDER BY s.tons DESC, s.name ASCENDING SKIP $number
MATCH (s:Ship) WITH s ORDER BY s.name ASC SKIP 1 LIMIT 5 RETURN s {.tons, .flag} AS ship
MATCH (s:Ship) WHERE s.open XOR s.sold = false RETURN -s.tons AS tons ORDER BY tons DESC
RETURN false XOR null AS x, +1 AS one, -2 AS two
MATCH (s:Ship) WHERE NOT (s.open XOR s.sold) RETURN s.name ORDER BY s.built DESC
MATCH (`order`:`Order`) RETURN `order`.`paid on` AS `paid on`
RETURN "it's" AS a, 'say "x"' AS b, 'tab\\t' AS c
"""


def lines() -> list[str]:
    return QUERIES.strip().splitlines()


@cache
def parser() -> lark.Lark:
    """The grammar alone, without the builder of typed trees."""
    return lark.Lark(grammar_text(), parser="lalr", lexer=TokenPass, keep_all_tokens=True)


@cache
def tokens_of(text: str) -> tuple[tuple[lark.Token, ...], frozenset[str]]:
    """The tokens of a query in their order, and the constructs that it is read with."""
    tree = parser().parse(tokenise(text))  # type: ignore[arg-type]
    tokens = tuple(t for t in tree.scan_values(lambda v: isinstance(v, lark.Token)))
    return tokens, frozenset(str(t.data) for t in tree.iter_subtrees()) | {t.type for t in tokens}


def in_case(text: str, *, upper: bool) -> str:
    """The query with its keywords in one case; names, texts and functions stay as they are."""
    made, at = "", 0
    for token in sorted(tokens_of(text)[0], key=lambda t: t.start_pos or 0):
        start, end = token.start_pos or 0, token.end_pos or 0
        said = text[start:end]
        keyword = token.type not in {"NAME", "FNAME", "STRING", "PARAM"} and said.upper() in words.KEYWORDS
        made += text[at:start] + ((said.upper() if upper else said.lower()) if keyword else said)
        at = end
    return made + text[at:]


@pytest.mark.parametrize("text", lines())
def test_a_query_is_printed_as_one_that_reads_the_same(text: str) -> None:
    tree = parse(text)
    printed = write(tree)
    assert parse(printed) == tree
    assert write(parse(printed)) == printed


@pytest.mark.parametrize("text", lines())
def test_capitals_of_keywords_change_nothing(text: str) -> None:
    upper, lower = in_case(text, upper=True), in_case(text, upper=False)
    assert upper != lower
    assert parse(upper) == parse(lower) == parse(text)
    assert write(parse(lower)) == write(parse(upper))


def test_no_query_stands_twice() -> None:
    assert [q for q, times in Counter(lines()).items() if times > 1] == []


def constructs() -> frozenset[str]:
    """The rules of the grammar, with the names of their forms, and the tokens that it declares."""
    named = {(str(r.alias or r.origin.name), bool(r.options.expand1 and not r.alias)) for r in parser().rules}
    declared = [t for x in grammar_text().splitlines() if x.startswith("%declare") for t in x.split()[1:]]
    return frozenset(name for name, inlined in named if not (inlined or name.startswith("_"))) | set(declared)


def test_every_construct_stands_in_at_least_five_queries() -> None:
    expected = constructs()
    assert {"dynamic_label", "case_is_typed", "SHORTEST", "NORMAL_FORM", "PCOMP"} <= expected
    found = Counter(name for text in lines() for name in tokens_of(text)[1])
    assert {name: found[name] for name in sorted(expected) if found[name] < LEAST} == {}
