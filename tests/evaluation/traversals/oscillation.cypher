// Seed 000, appendix B.2, first question: sources of uncertainty of the B_s oscillation frequency.
MATCH (o:Observable)
WHERE o.kind = 'physical constant' AND o.name CONTAINS $part AND similarity(o, $text) > 0.5
MATCH (p:Paper)-[d:DETERMINES]->(o)
MATCH (o)-[m:MEASURED_WITH]->(c:Decay) WHERE m.document = d.document
OPTIONAL MATCH (p)-[d2:DETERMINES]->(other:Observable)-[m2:MEASURED_WITH]->(c)
WHERE other <> o AND d2.document = d.document AND m2.document = d.document
WITH o, p, collect(DISTINCT c.name) AS decays, collect(DISTINCT other.name) AS others, d.document AS document
MATCH (s:UncertaintySource)-[a:AFFECTS]->(o) WHERE a.document = document
WITH s, avg(a.ranking) AS ranking, collect(decays) AS used, collect(DISTINCT p.name) AS papers, collect(others) AS beside
RETURN s.name AS source, ranking,
  reduce(all = [], xs IN used | all + [x IN xs WHERE NOT x IN all]) AS decays, papers,
  reduce(all = [], xs IN beside | all + [x IN xs WHERE NOT x IN all]) AS related
ORDER BY ranking, source
