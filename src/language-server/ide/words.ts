import { language } from '#model/language/language.ts';
import type { Target, Type } from '#model/language/types.ts';
import { unreachable } from '#base/result.ts';

const TARGETS: Readonly<Record<Target, string>> = {
  cube: 'cube',
  view: 'view',
  member: 'member',
  dimension: 'dimension',
  measure: 'measure',
  segment: 'segment',
  preAggregation: 'pre-aggregation',
  switchDimension: 'switch dimension',
  joinPath: 'join path',
  viewMember: 'member of the view',
  includedMember: 'member of the cube',
  ownMember: 'own member',
  viewGroup: 'view group',
  indexColumn: 'member of the pre-aggregation',
};

/** Describes a type briefly: `list of dimensions`, `SQL`, `one of asc, desc`. */
export function describeType(type: Type): string {
  switch (type.is) {
    case 'text':
      if (type.choices)
        return `one of ${type.choices
          .filter((choice) => !choice.hidden && choice.deprecated === undefined)
          .map(({ value }) => value)
          .join(', ')}`;
      return type.to ? `name of a ${TARGETS[type.to]}` : (type.format ?? 'text');
    case 'sql':
      return 'SQL';
    case 'reference':
      return `reference to a ${TARGETS[type.to]}`;
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'number';
    case 'any':
      return 'anything';
    case 'list':
      return `list of (${describeType(type.of)})`;
    case 'members':
      return `list of ${language[type.shape].title.toLowerCase()}s`;
    case 'map':
      return language[type.shape].title.toLowerCase();
    case 'either':
      return type.of.map(describeType).join(' or ');
    default:
      return unreachable(type);
  }
}
