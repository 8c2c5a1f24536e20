import { nounsOf, withArticle } from '#base/words.ts';
import { language } from '#model/language/language.ts';
import { nounOf, type Target, type TextFormat, type Type } from '#model/language/types.ts';
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

const FORMATS: Readonly<Record<TextFormat, string>> = {
  identifier: 'name of letters, digits and `_`',
  granularityInterval: 'interval, such as `3 months`',
  granularityOffset: 'interval, such as `1 day`',
  interval: 'interval, such as `1 day`',
  rollingInterval: 'interval, such as `7 day`, or `unbounded`',
  every: 'interval, such as `1 hour`, or a cron expression',
  everyInterval: 'interval, such as `1 hour`',
  timezone: 'time zone, such as `Europe/Berlin`',
  currency: 'currency code, such as `EUR`',
  date: 'date or time, such as `2024-04-01`',
  memberFormat: 'format',
  granularity: 'granularity, such as `day`',
  dataSource: 'name of a data source',
  group: 'name of a group, or `*`',
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
      return type.to ? `name of ${withArticle(TARGETS[type.to])}` : type.format ? FORMATS[type.format] : 'text';
    case 'sql':
      return 'SQL';
    case 'reference':
      return `reference to ${withArticle(TARGETS[type.to])}`;
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'number';
    case 'any':
      return 'anything';
    case 'list':
      return `list of (${describeType(type.of)})`;
    case 'members':
      return `list of ${nounsOf(nounOf(language[type.shape]))}`;
    case 'map':
      return nounOf(language[type.shape]);
    case 'either':
      return type.of.map(describeType).join(' or ');
    default:
      return unreachable(type);
  }
}
