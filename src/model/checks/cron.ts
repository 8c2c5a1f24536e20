import { append, smallest } from '#base/long-lists.ts';

/** The values of one field of a cron expression: numbers, and `L` for the last day. */
type Values = readonly (number | 'L')[];

interface Field {
  readonly min: number;
  readonly max: number;
  readonly characters: RegExp;
  /** Whether it may be the last one of its period. */
  readonly hasLast?: boolean;
  /** The names of its values, which begin at its minimum. */
  readonly names?: readonly string[];
}

const STANDARD = /^[,*\d/-]+$/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');

const FIELDS: readonly Field[] = [
  { min: 0, max: 59, characters: STANDARD },
  { min: 0, max: 59, characters: STANDARD },
  { min: 0, max: 23, characters: STANDARD },
  { min: 1, max: 31, characters: /^[?,*\dL/-]+$/, hasLast: true },
  { min: 1, max: 12, characters: STANDARD, names: MONTHS },
  { min: 0, max: 7, characters: /^[?,*\dL#/-]+$/, hasLast: true, names: WEEKDAYS },
];
const DAY = 3;
const MONTH = 4;
const WEEKDAY = 5;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const PREDEFINED = new Set(['@yearly', '@monthly', '@weekly', '@daily', '@hourly']);

/**
 * Checks for a cron expression as the engine's parser reads it: of fewer fields than six, those at the beginning are missing, and
 * spaces alone are an expression, too.
 */
export function isCron(text: string): boolean {
  if (PREDEFINED.has(text)) return true;
  const written = text.trim().split(/\s+/);
  if (written.length > FIELDS.length) return false;
  const missing = FIELDS.length - written.length;
  const values = FIELDS.map((field, at) => {
    const value = written[at - missing];
    if (value === undefined || value === '') return ['L'] satisfies Values;
    const day = at === WEEKDAY ? withoutNumber(value) : value;
    return day === undefined ? undefined : valuesOf(day, field);
  });
  return values.every((each) => each !== undefined) && isDayOf(values[DAY] ?? [], values[MONTH] ?? []);
}

/** Checks whether a single month has the first of the days. */
function isDayOf(days: Values, months: Values): boolean {
  const [month] = months;
  if (months.length !== 1 || typeof month !== 'number') return true;
  const numbers = days.filter((day) => typeof day === 'number');
  return numbers.length === 0 || smallest(numbers) <= (DAYS_IN_MONTH[month - 1] ?? 31);
}

/** Returns a weekday without its number in the month (`1#2`); undefined if that is wrong. */
function withoutNumber(value: string): string | undefined {
  const [day, number, ...more] = value.split('#');
  if (number === undefined) return value;
  const isNumber = Number(number) >= 1 && Number(number) <= 5;
  return isNumber && more.length === 0 && !/[,/-]/.test(value) ? day : undefined;
}

/** Returns the values of a field; undefined if it cannot be read. */
function valuesOf(written: string, field: Field): Values | undefined {
  const value = withNumbers(written, field);
  if (value === undefined || !field.characters.test(value)) return undefined;
  const whole = `${field.min}-${field.max}`;
  const ranges = value.includes('*') ? value.replaceAll('*', whole) : value.replaceAll('?', whole);
  const all: (number | 'L')[] = [];
  for (const item of ranges.split(',')) {
    const values = item === '' ? undefined : repeated(item, field);
    if (!values) return undefined;
    append(all, values);
  }
  return all;
}

/** Returns a field with numbers in place of names; undefined if it has an unknown name. */
function withNumbers(value: string, { names, min }: Field): string | undefined {
  if (!names) return value;
  let isKnown = true;
  const numbers = value.replaceAll(/[a-z]{3}/gi, (name) => {
    const at = names.indexOf(name.toLowerCase());
    if (at === -1) isKnown = false;
    return String(at + min);
  });
  return isKnown ? numbers : undefined;
}

/** Returns the values of an item with or without a step: `1-5/2`, `3/2`. */
function repeated(item: string, field: Field): Values | undefined {
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0) return undefined;
  if (step === undefined) return valuesIn(range, 1, field);
  return valuesIn(/^\d*$/.test(range) ? `${range}-${field.max}` : range, Number(step), field);
}

function valuesIn(range: string, step: number, field: Field): Values | undefined {
  const [first = '', second] = range.split('-');
  // A minus in front makes no range of a number.
  if (second === undefined || (first === '' && second !== '')) return single(range, field);
  const from = Number(first);
  const to = Number(second);
  if (first === '' || Number.isNaN(from) || Number.isNaN(to)) return undefined;
  if (from < field.min || to > field.max || from > to || !(step > 0)) return undefined;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
}

function single(value: string, { min, max, hasLast = false }: Field): Values | undefined {
  const number = Number(value);
  if (Number.isNaN(number)) return hasLast && value.includes('L') ? ['L'] : undefined;
  return number < min || number > max ? undefined : [number];
}
