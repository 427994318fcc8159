"""Plan operators of reads: an operator that is not listed is refused, so that a new one grows by review."""

from __future__ import annotations

from typing import Final

_NAMES: Final = """
ProduceResults Argument Projection Filter Limit ExhaustiveLimit Skip Top Top1WithTies PartialTop Sort
PartialSort Distinct OrderedDistinct EagerAggregation OrderedAggregation Optional Apply SemiApply
AntiSemiApply LetSemiApply LetAntiSemiApply SelectOrSemiApply SelectOrAntiSemiApply LetSelectOrSemiApply
LetSelectOrAntiSemiApply RollUpApply ConditionalApply AntiConditionalApply SubqueryForeach
CartesianProduct NodeHashJoin
ValueHashJoin NodeLeftOuterHashJoin NodeRightOuterHashJoin LeftOuterHashJoin RightOuterHashJoin Union
OrderedUnion Unwind Eager EmptyRow EmptyResult CacheProperties AssertSameNode AssertSameRelationship
AssertingMultiNodeIndexSeek Expand(All) Expand(Into) OptionalExpand(All) OptionalExpand(Into)
VarLengthExpand(All) VarLengthExpand(Into) VarLengthExpand(Pruning) VarLengthExpand(Pruning,BFS,All)
VarLengthExpand(Pruning,BFS,Into) BFSPruningVarExpand Repeat(Trail) Repeat(Walk) RepeatTrail
BidirectionalRepeat(Trail) NullifyMetadata ShortestPath StatefulShortestPath(All)
StatefulShortestPath(Into) AllShortestPath ProjectEndpoints TriadicSelection TriadicBuild TriadicFilter
NodeCountFromCountStore RelationshipCountFromCountStore ProcedureCall AllNodesScan NodeByLabelScan
PartitionedAllNodesScan PartitionedNodeByLabelScan UnionNodeByLabelsScan IntersectionNodeByLabelsScan
SubtractionNodeByLabelsScan DynamicLabelNodeLookup NodeIndexScan NodeIndexSeek NodeIndexSeekByRange
NodeIndexContainsScan NodeIndexEndsWithScan NodeUniqueIndexSeek NodeUniqueIndexSeekByRange
MultiNodeIndexSeek NodeByIdSeek NodeByElementIdSeek PreserveOrder ArgumentTracker ErrorPlan Prober
DirectedRelationshipTypeScan UndirectedRelationshipTypeScan DirectedUnionRelationshipTypesScan
UndirectedUnionRelationshipTypesScan DirectedRelationshipIndexScan UndirectedRelationshipIndexScan
DirectedRelationshipIndexSeek UndirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange
UndirectedRelationshipIndexSeekByRange DirectedRelationshipUniqueIndexSeek
UndirectedRelationshipUniqueIndexSeek DirectedRelationshipIndexContainsScan
UndirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan
UndirectedRelationshipIndexEndsWithScan DirectedAllRelationshipsScan UndirectedAllRelationshipsScan
DirectedRelationshipByIdSeek UndirectedRelationshipByIdSeek DirectedRelationshipByElementIdSeek
UndirectedRelationshipByElementIdSeek
"""
OPERATORS: Final = frozenset(_NAMES.split())
"""Operators of reads, by the operator table of the Cypher manual and the plans of a Neo4j 5.26 server.

``SubqueryForeach`` is one of them: ``CALL { MATCH (b) FINISH }`` is planned with it. What writes
has an operator below it that is not listed, and a plan that is no read.
"""
