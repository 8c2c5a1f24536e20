import { append } from '#base/long-lists.ts';
import type { Problem } from '../codes.ts';
import type { Effective } from '../effective.ts';
import { referencesIn } from '../member-references.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
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

/** Reports partitions by no time, and those that are shorter than the periods in them. */
function checkPartition(member: MemberSymbol): Problem[] {
  const partition = scalar(member, 'partition_granularity', 'partitionGranularity');
  if (!partition) return [];
  if (isRollup(member) && !member.has(...TIMES)) {
    const { start, end } = partition;
    const message =
      'Partitions need a time to divide by, such as `time_dimension`: queries that could use this pre-aggregation fail.';
    return [{ code: 'wrong-partition', start, end, message }];
  }
  const granularity = scalar(member, 'granularity');
  if (!granularity) return [];
  const [length, period] = [UNITS.indexOf(partition.value), UNITS.indexOf(granularity.value)];
  if (length === -1 || length >= period) return [];
  const { start, end } = partition;
  const message = `A partition per ${partition.value} is shorter than the granularity \`${granularity.value}\`: each would hold parts of a period only. Use \`${granularity.value}\` or a longer one.`;
  // The engine can build and read it, but it costs more than it saves.
  return [{ code: 'wrong-partition', severity: 'information', start, end, message }];
}

/** The keys that name a time to group by, in all spellings and in those of old models. */
const TIMES = [
  ...['time_dimension', 'timeDimension', 'time_dimensions', 'timeDimensions'],
  ...['time_dimension_reference', 'timeDimensionReference', 'time_dimension_references', 'timeDimensionReferences'],
];

/** Checks for a pre-aggregation of the type `rollup`, which is the default. */
function isRollup({ node }: MemberSymbol): boolean {
  const type = findPair(node, 'type')?.value;
  return !type || (type.kind === 'scalar' && type.value === 'rollup');
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
const FORMULAS = new Set(['number', 'string', 'time', 'boolean']);

function checkAdditive(rollup: MemberSymbol, entity: EntitySymbol, index: ModelIndex): Problem[] {
  if (!isRollup(rollup)) return [];
  const named = referencesIn(rollup).flatMap((reference) => {
    if (reference.shape !== 'preAggregation') return [];
    if (reference.key !== 'measures' && reference.key !== 'measure_references') return [];
    const measure = measureOf(reference, entity, index);
    return measure ? [{ reference, measure }] : [];
  });
  const contained = new Set(named.map(({ measure }) => measure.member));
  return named.flatMap(({ reference: { start, end }, measure }): Problem[] => {
    const why = whyNotAdditive(measure, contained, index);
    if (why === undefined) return [];
    const message = `\`${measure.name}\` is ${why}: only queries with exactly the dimensions and the granularity of this rollup use it.`;
    return [{ code: 'non-additive-rollup', start, end, message }];
  });
}

/** Returns why the values of a measure in a rollup cannot be added up; undefined if they can, or if that is not known. */
function whyNotAdditive(
  { member }: Effective,
  contained: ReadonlySet<MemberSymbol>,
  index: ModelIndex,
): string | undefined {
  const type = member.text('type') ?? '';
  if (NOT_ADDITIVE.has(type)) return `of \`type: ${type}\`, which cannot be added up`;
  if (!FORMULAS.has(type) || member.isOpen || member.has('multi_stage', 'multiStage')) return undefined;
  const operands = operandsOf(member, index);
  if (!operands) return undefined;
  const missing = operands.filter((operand) => !contained.has(operand.member));
  if (operands.length > 0 && missing.length === 0) return undefined;
  const names = missing.map(({ name }) => `\`${name}\``).join(', ');
  return `a formula, whose results cannot be added up${names === '' ? '' : `, and this rollup lacks ${names}, which it is computed from`}`;
}

/** Returns the measures that a formula is computed from, those of formulas in it included; undefined if they are not known. */
function operandsOf(
  formula: MemberSymbol,
  index: ModelIndex,
  above: ReadonlySet<MemberSymbol> = new Set(),
): readonly Effective[] | undefined {
  if (above.has(formula) || formula.owner.chunk.templated || formula.isOpen) return undefined;
  const operands: Effective[] = [];
  for (const reference of referencesIn(formula)) {
    if (reference.form !== 'sql' || reference.key !== 'sql') continue;
    const measure = measureOf(reference, formula.owner, index);
    if (!measure) continue;
    const isFormula = FORMULAS.has(measure.member.text('type') ?? '');
    const own = isFormula ? operandsOf(measure.member, index, new Set([...above, formula])) : [];
    if (!own) return undefined;
    append(operands, own.length > 0 ? own : [measure]);
  }
  return operands;
}

function measureOf(reference: Reference, entity: EntitySymbol, index: ModelIndex): Effective | undefined {
  const last = resolve(reference, entity, index).referents.at(-1);
  return last?.is === 'member' && last.member.kind === 'measure' ? last.member : undefined;
}

function scalar({ node }: MemberSymbol, ...keys: readonly string[]): ScalarNode | undefined {
  const value = findPair(node, ...keys)?.value;
  return value?.kind === 'scalar' && value.style !== 'code' ? value : undefined;
}
