import { nearestName } from '#model/suggest.ts';
import { columnsOf, type Condition, type Draft, isCommonGranularity, valuesOf } from './draft.ts';
import type { PlaygroundMember } from './members.ts';
import { operatorLabel, operatorsOf, valueCount, type ValueKind } from './operators.ts';

/** A problem, and the field to show it at: `filters.0.1`, `order.0`, `time`, `limit`, or `query` for the whole query. */
export interface DraftProblem {
  readonly field: string;
  readonly message: string;
}

/** The default limit of servers for the rows of an answer. */
const mostRows = 50_000;

/**
 * Returns everything that would make the server refuse the query, each with its field. Unknown members count only if the model is
 * known.
 */
export function checkDraft(draft: Draft, members: readonly PlaygroundMember[]): readonly DraftProblem[] {
  const known = new Map(members.map((member) => [member.name, member]));
  const check: Check = { known, isKnown: members.length > 0 };
  return [
    ...checkChosen(draft),
    ...checkNames(draft, check),
    ...checkTime(draft.time, check),
    ...draft.filters.flatMap((group, at) => checkGroup(group, `filters.${at}`, check)),
    ...checkOrder(draft),
    ...checkLimit(draft.limit),
    ...checkTimezone(draft.timezone),
  ];
}

interface Check {
  readonly known: ReadonlyMap<string, PlaygroundMember>;
  /** Whether the model is known; otherwise no member counts as unknown. */
  readonly isKnown: boolean;
}

function checkChosen(draft: Draft): readonly DraftProblem[] {
  if (columnsOf(draft).length > 0) return [];
  return [
    { field: 'query', message: 'Choose at least one measure or dimension, or a granularity for the time dimension.' },
  ];
}

function checkNames(draft: Draft, check: Check): readonly DraftProblem[] {
  const named = [
    ...draft.measures.map((name) => ({ field: 'measures', name, kinds: ['measure'] })),
    ...draft.dimensions.map((name) => ({ field: 'dimensions', name, kinds: ['dimension', 'time'] })),
    ...draft.segments.map((name) => ({ field: 'segments', name, kinds: ['segment'] })),
    ...(draft.time.dimension === '' ? [] : [{ field: 'time', name: draft.time.dimension, kinds: ['time'] }]),
  ];
  return named.flatMap(({ field, name, kinds }) => {
    const message = nameProblem(name, kinds, check);
    return message === undefined ? [] : [{ field, message }];
  });
}

function nameProblem(name: string, kinds: readonly string[], { known, isKnown }: Check): string | undefined {
  if (!isKnown) return undefined;
  const member = known.get(name);
  if (member) return kinds.includes(member.kind) ? undefined : `“${name}” is a ${member.kind} and cannot be used here.`;
  const fitting = [...known.values()].filter(({ kind }) => kinds.includes(kind)).map((each) => each.name);
  const meant = nearestName(name, fitting);
  return `The model has no “${name}”${meant === undefined ? '.' : `. Did you mean “${meant}”?`}`;
}

function checkTime(
  { dimension, granularity, range, from, to }: Draft['time'],
  { known }: Check,
): readonly DraftProblem[] {
  const problem = (message: string): readonly DraftProblem[] => [{ field: 'time', message }];
  if (dimension === '') {
    return granularity === '' && range === '' ? [] : problem('Choose the time dimension that this is about.');
  }
  const member = known.get(dimension);
  if (member && !isCommonGranularity(granularity) && member.granularities?.includes(granularity) !== true)
    return problem(`“${dimension}” has no granularity “${granularity}”.`);
  if (range !== 'between') return [];
  const wrong = [from, to].find((date) => !isDate(date));
  if (wrong === '') return problem('Choose the first and the last day of the range.');
  if (wrong !== undefined) return problem(`“${wrong}” is not a date. Write it like 2026-01-31.`);
  // A day includes all its times.
  return from.slice(0, Math.max(10, to.length)) > to
    ? problem('The first day of the range is after the last one.')
    : [];
}

function checkGroup(group: readonly Condition[], field: string, check: Check): readonly DraftProblem[] {
  const kinds = new Set(
    group.flatMap(({ member }) => {
      const kind = check.known.get(member)?.kind;
      return kind === undefined ? [] : [kind === 'measure'];
    }),
  );
  const mixed =
    kinds.size > 1
      ? [
          {
            field: `${field}.0`,
            message: 'Measures and dimensions cannot be alternatives of each other. Use two filters.',
          },
        ]
      : [];
  return [
    ...mixed,
    ...group.flatMap((condition, at) => {
      const message = conditionProblem(condition, check);
      return message === undefined ? [] : [{ field: `${field}.${at}`, message }];
    }),
  ];
}

function conditionProblem(condition: Condition, check: Check): string | undefined {
  if (condition.member === '') return 'Choose a member to filter by.';
  const unknown = nameProblem(condition.member, ['measure', 'dimension', 'time'], check);
  if (unknown !== undefined) return unknown;
  const kind = check.known.get(condition.member)?.valueKind;
  const { operator } = condition;
  if (kind && !operatorsOf(kind).some((choice) => choice.operator === operator)) {
    return `“${operatorLabel(operator)}” does not apply to “${condition.member}”.`;
  }
  return valueProblem(condition, kind);
}

function valueProblem({ operator, values: typed }: Condition, kind: ValueKind | undefined): string | undefined {
  const values = valuesOf(typed);
  switch (valueCount(operator)) {
    case 'none':
      return undefined;
    case 'one':
      if (values.length !== 1) return 'Enter exactly one value.';
      break;
    case 'dates':
      if (values.length !== 1 && values.length !== 2)
        return 'Enter the first and the last day, like 2026-01-01, 2026-01-31.';
      // A single value may be a relative range: last month.
      if (values.length === 1) return undefined;
      break;
    default:
      if (values.length === 0) return 'Enter a value. Separate several with commas.';
  }
  const wrong = kind === undefined ? undefined : values.find((value) => !isOf(kind, value));
  return wrong === undefined ? undefined : `“${wrong}” is not ${expected[kind ?? 'text']}.`;
}

const expected: Readonly<Record<ValueKind, string>> = {
  text: 'a text',
  number: 'a number',
  time: 'a date. Write it like 2026-01-31',
  boolean: 'true or false',
};

function isOf(kind: ValueKind, value: string): boolean {
  switch (kind) {
    case 'number':
      return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
    case 'time':
      return isDate(value);
    case 'boolean':
      return value === 'true' || value === 'false';
    default:
      return true;
  }
}

/** Whether a text is an existing date, with or without a time. */
function isDate(text: string): boolean {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function checkOrder(draft: Draft): readonly DraftProblem[] {
  const columns = new Set([...columnsOf(draft), draft.time.granularity === '' ? '' : draft.time.dimension]);
  return draft.order.flatMap(({ member }, at) =>
    columns.has(member)
      ? []
      : [
          {
            field: `order.${at}`,
            message: member === '' ? 'Choose what to order by.' : `Add “${member}” to the query to order by it.`,
          },
        ],
  );
}

function checkLimit(limit: string): readonly DraftProblem[] {
  const isRight = /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= mostRows;
  return isRight
    ? []
    : [{ field: 'limit', message: `The limit is a number from 1 to ${mostRows.toLocaleString('en')}.` }];
}

function checkTimezone(timezone: string): readonly DraftProblem[] {
  if (isTimezone(timezone)) return [];
  return [{ field: 'timezone', message: `“${timezone}” is not a time zone. Write it like Europe/Berlin.` }];
}

function isTimezone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}
