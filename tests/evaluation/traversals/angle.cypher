// Seed 000, appendix B.2, second question: channels, papers and the five largest sources for what is like gamma.
MATCH (o:Observable) WHERE o.kind = 'physical constant'
WITH o, similarity(o, $text) AS likeness ORDER BY likeness DESC LIMIT 20
MATCH (p:Paper)-[d:DETERMINES]->(o)-[m:MEASURED_WITH]->(c:Decay) WHERE m.document = d.document
WITH o, likeness, collect(DISTINCT c.name) AS decays, collect(DISTINCT p.name) AS papers
OPTIONAL MATCH (s:UncertaintySource)-[a:AFFECTS]->(o)
WITH o, likeness, decays, papers, s.name AS source, avg(a.ranking) AS ranking ORDER BY ranking, source
RETURN o.name AS observable, likeness, decays, papers, collect(source)[..5] AS sources
ORDER BY likeness DESC
