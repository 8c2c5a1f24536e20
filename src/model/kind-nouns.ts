import type { MemberKind } from './symbols.ts';
import type { EntityKind } from './syntax/entity.ts';

const NOUNS: Readonly<Record<EntityKind | MemberKind, string>> = {
  cube: 'cube',
  view: 'view',
  viewGroup: 'view group',
  dimension: 'dimension',
  measure: 'measure',
  segment: 'segment',
  hierarchy: 'hierarchy',
  preAggregation: 'pre-aggregation',
};

/** Returns what users read for a kind of definition or member. */
export function nounOfKind(kind: EntityKind | MemberKind): string {
  return NOUNS[kind];
}
