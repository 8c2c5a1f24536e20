import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol, MemberSymbol } from '../symbols.ts';
import { findPair, type ScalarNode } from '../syntax/tree.ts';

/** Reports rollups that compile but do not serve the queries that they are intended for. */
export function checkRollups(entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (entity.chunk.templated) return [];
  return [...entity.members.values()].flatMap((member): Problem[] => {
    if (member.kind !== 'preAggregation' || member.isOpen) return [];
    return [...checkPartition(member), ...checkIncremental(member), ...checkAdditive(member, entity, index)];
  });
}

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];

/** Reports partitions that are shorter than the periods in them. */
function checkPartition(member: MemberSymbol): Problem[] {
  const partition = scalar(member, 'partition_granularity', 'partitionGranularity');
  const granularity = scalar(member, 'granularity');
  if (!partition || !granularity) return [];
  const [length, period] = [UNITS.indexOf(partition.value), UNITS.indexOf(granularity.value)];
  if (length === -1 || length >= period) return [];
  const { start, end } = partition;
  const message = `A partition per ${partition.value} is shorter than the granularity \`${granularity.value}\`: each would hold parts of a period only. Use \`${granularity.value}\` or a longer one.`;
  // The engine can build and read it, but it costs more than it saves.
  return [{ code: 'wrong-partition', severity: 'information', start, end, message }];
}

/** Reports incremental rollups that the engine refuses to build. */
function checkIncremental(member: MemberSymbol): Problem[] {
  if (member.has('partition_granularity', 'partitionGranularity')) return [];
  const refreshKey = findPair(member.node, 'refresh_key', 'refreshKey')?.value;
  const incremental = refreshKey?.kind === 'map' ? findPair(refreshKey, 'incremental') : undefined;
  if (incremental?.value?.kind !== 'scalar' || incremental.value.value !== 'true') return [];
  const { start, end } = incremental.key;
  const message =
    'Only a pre-aggregation with `partition_granularity` is refreshed incrementally: the engine refuses to build this one.';
  return [{ code: 'wrong-partition', start, end, message }];
}

const NOT_ADDITIVE = new Set(['count_distinct', 'countDistinct', 'avg']);

function checkAdditive({ nameNode, node }: MemberSymbol, entity: EntitySymbol, index: ModelIndex): Problem[] {
  const type = findPair(node, 'type')?.value;
  if (type && (type.kind !== 'scalar' || type.value !== 'rollup')) return [];
  return entity.references.flatMap((reference): Problem[] => {
    if (reference.memberName !== nameNode || reference.shape !== 'preAggregation') return [];
    if (reference.key !== 'measures' && reference.key !== 'measure_references') return [];
    const last = resolve(reference, entity, index).referents.at(-1);
    const measure = last?.is === 'member' && last.member.kind === 'measure' ? last.member : undefined;
    const kind = measure?.member.text('type') ?? '';
    if (!measure || !NOT_ADDITIVE.has(kind)) return [];
    const { start, end } = reference;
    const message = `\`${measure.name}\` is of \`type: ${kind}\`, which cannot be added up: only queries with exactly the dimensions and the granularity of this rollup use it.`;
    return [{ code: 'non-additive-rollup', start, end, message }];
  });
}

function scalar({ node }: MemberSymbol, ...keys: readonly string[]): ScalarNode | undefined {
  const value = findPair(node, ...keys)?.value;
  return value?.kind === 'scalar' && value.style !== 'code' ? value : undefined;
}
