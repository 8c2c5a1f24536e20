import { own } from '#base/own.ts';
import type { Effective } from './effective.ts';

const TEXTS = new Set(['contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith']);
const NUMBERS = new Set(['gt', 'gte', 'lt', 'lte']);
const TIMES = new Set([
  ...['inDateRange', 'notInDateRange', 'onTheDate', 'beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'],
]);
/** The operators for values of a type, besides those for all values; other types have none. */
const OF_TYPE: Readonly<Record<string, ReadonlySet<string>>> = {
  string: TEXTS,
  switch: TEXTS,
  number: NUMBERS,
  time: TIMES,
};
const SPECIAL = new Set([...TEXTS, ...NUMBERS, ...TIMES]);

/** Checks whether a filter by a member can have an operator (docs/data-api.md#filters). */
export function fitsMember(operator: string, { kind, member }: Effective): boolean {
  if (operator === 'measureFilter') return kind === 'measure';
  if (!SPECIAL.has(operator)) return true;
  const type = member.text('type');
  const values = kind === 'measure' && !isValueType(type) ? 'number' : type;
  return values === undefined || own(OF_TYPE, values)?.has(operator) === true;
}

/** Checks for a measure whose type is that of its values; most types are aggregates, whose values are numbers. */
function isValueType(type: string | undefined): boolean {
  return type === 'string' || type === 'time' || type === 'boolean';
}
