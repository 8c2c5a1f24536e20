import type { ModelFile } from '../file.ts';
import type { Entity } from '../syntax/entity.ts';
import { findPair, type MapNode, textOf } from '../syntax/tree.ts';
import { foldKey, type NamedItem, namedItems } from './names.ts';
import { Unsure } from './unsure.ts';

/** The cube or view that a piece belongs to. */
export interface Parent {
  readonly kind: 'cube' | 'view';
  readonly name: string;
}

/**
 * Returns the cube or view of a file that sections or members belong to: the only one, the one named by the surrounding words, or
 * the only one that has members of these names.
 */
export function parentOfBlock(
  base: ModelFile,
  words: ReadonlySet<string>,
  sections: readonly string[],
  members: readonly string[] = [],
): Parent {
  const all = entitiesOf(base);
  const fitting = all.filter(({ kind }) => sections.every((section) => fits(kind, section)));
  const named = fitting.filter(({ name }) => words.has(name));
  const holding = fitting.filter(({ entity }) => members.length > 0 && members.every((name) => has(entity, name)));
  const only = fitting.length === 1 && all.length === 1 ? fitting : [];
  for (const found of [only, named, holding]) {
    const [parent] = found;
    if (parent && found.length === 1) return parent;
  }
  throw new Unsure('It does not say which cube or view it belongs to.');
}

/**
 * Returns the section that all members of a piece belong to, and the cube or view that it is in. Throws {@link Unsure} if that is
 * uncertain.
 */
export function sectionOfMembers(
  base: ModelFile,
  words: ReadonlySet<string>,
  members: readonly NamedItem[],
): { readonly parent: Parent; readonly section: string } {
  const sections = new Set(members.map(({ name, node }) => sectionOf(name, node, base) ?? sectionNamed(words)));
  const [section, ...more] = sections;
  if (section === undefined || more.length > 0) throw new Unsure('It does not say what kind of members it holds.');
  const names = members.map(({ name }) => name);
  return { parent: parentOfBlock(base, words, [foldKey(section)], names), section };
}

/** Returns the section of a file that has a member of this name, or that members with such keys belong to. */
function sectionOf(name: string, member: MapNode, base: ModelFile): string | undefined {
  const byKeys = sectionByKeys(member);
  if (byKeys !== undefined) return byKeys;
  const known = entitiesOf(base).flatMap(({ entity }) =>
    entity.node.pairs.filter(({ value }) => namedItems(value)?.some((item) => item.name === name)),
  );
  const sections = new Set(known.map(({ key }) => key.value));
  return sections.size === 1 ? [...sections][0] : undefined;
}

const WORDS: Readonly<Record<string, RegExp>> = {
  measures: /^measures?$/i,
  dimensions: /^dimensions?$/i,
  segments: /^segments?$/i,
  joins: /^joins?$/i,
  pre_aggregations: /^pre-?_?aggregations?$/i,
};

/** Returns the kind of members that a sentence mentions, if it is only one. */
function sectionNamed(words: ReadonlySet<string>): string | undefined {
  const found = Object.keys(WORDS).filter((section) => [...words].some((word) => WORDS[section]?.test(word)));
  return found.length === 1 ? found[0] : undefined;
}

const MEASURES = new Set([
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'count_distinct',
  'count_distinct_approx',
  'number_agg',
  'rank',
]);
const DIMENSIONS = new Set(['string', 'time', 'boolean', 'geo', 'switch']);
const MEASURE_KEYS = ['filters', 'rolling_window', 'rollingWindow', 'drill_members', 'drillMembers', 'time_shift'];
const DIMENSION_KEYS = ['primary_key', 'primaryKey', 'case', 'sub_query', 'subQuery', 'latitude', 'granularities'];
const PRE_AGGREGATION_KEYS = [
  'time_dimension',
  'timeDimension',
  'partition_granularity',
  'partitionGranularity',
  'rollups',
];

function sectionByKeys(member: MapNode): string | undefined {
  const has = (keys: readonly string[]): boolean => findPair(member, ...keys) !== undefined;
  const type = textOf(member, 'type') ?? '';
  if (has(['join_path', 'joinPath'])) return 'cubes';
  if (has(['relationship'])) return 'joins';
  if (has(['levels'])) return 'hierarchies';
  if (has(PRE_AGGREGATION_KEYS) || /^(?:rollup|original)/.test(type)) return 'pre_aggregations';
  if (has(['group', 'role']) && has(['member_level', 'memberLevel', 'row_level', 'rowLevel', 'conditions']))
    return 'access_policy';
  if (MEASURES.has(type) || has(MEASURE_KEYS)) return 'measures';
  if (DIMENSIONS.has(type) || has(DIMENSION_KEYS)) return 'dimensions';
  return undefined;
}

function fits(kind: Parent['kind'], section: string): boolean {
  const ofViews = ['cubes', 'folders', 'includes', 'excludes'];
  return section === 'accesspolicy' || ofViews.includes(section) === (kind === 'view');
}

function has({ node }: Entity, member: string): boolean {
  return node.pairs.some(({ value }) => namedItems(value)?.some(({ name }) => name === member) === true);
}

function entitiesOf(file: ModelFile): readonly (Parent & { readonly entity: Entity })[] {
  return file.chunks.flatMap(({ chunk }) =>
    chunk.entities.flatMap((entity) => {
      const { kind, nameNode } = entity;
      return kind === 'viewGroup' || !nameNode ? [] : [{ kind, name: nameNode.value, entity }];
    }),
  );
}
