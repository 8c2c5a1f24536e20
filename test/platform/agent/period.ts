import { stamp, unitRange, units, type DateRange, type Unit } from '../data/date-range.ts';

/** A time span; an end that is absent is open. Local timestamps `YYYY-MM-DDTHH:mm:ss.SSS`, both included. */
export interface Span {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What a question says about time. */
interface Period {
  readonly granularity: Unit | undefined;
  readonly range: Span | undefined;
  /** The range in words, for the answer. */
  readonly label: string | undefined;
}

const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'] as const; // prettier-ignore
const monthPattern = months.map((month) => `${month}|${month.slice(0, 3)}`).join('|');

/** Whether the question counts from today, so that the last day of the data matters. */
export function isRelative(question: string): boolean {
  return /\b(?:this|last|past|previous|current|today|yesterday)\b/i.test(question);
}

/**
 * Reads granularity and range of time out of a question.
 * @param today milliseconds since the epoch: what `last month` counts from
 */
export function readPeriod(question: string, today: number): Period {
  const text = question.toLowerCase();
  const range = relativeRange(text, today) ?? absoluteRange(text);
  return { granularity: readGranularity(text), range: range?.range, label: range?.label };
}

/** *Best month*, *which quarter*: the unit is what is ranked. */
const rankedUnit =
  /\b(?:best|top|worst|highest|lowest|strongest|weakest|busiest|which|what)\s+(?:\d+\s+)?(day|week|month|quarter|year)s?\b/i;

/** Whether the question ranks units of time rather than following them. */
export function ranksTime(question: string): boolean {
  return rankedUnit.test(question);
}

function readGranularity(text: string): Unit | undefined {
  const ranked = rankedUnit.exec(text)?.[1];
  const [, by] = /\b(?:by|per|each|every|a)\s+(?:\w+\s+and\s+)?(day|week|month|quarter|year)s?\b/.exec(text) ?? [];
  const found = ranked ?? by ?? /\b(dai|week|month|quarter|year|annual)ly\b/.exec(text)?.[1];
  const named: Readonly<Record<string, Unit>> = { dai: 'day', annual: 'year' };
  const unit = found === undefined ? undefined : (named[found] ?? units.find((candidate) => candidate === found));
  if (unit) return unit;
  const years = text.match(/\b20\d\d\b/g) ?? [];
  if (new Set(years).size > 1 && /\b(?:compare|vs|versus|against|growth|change)\b/.test(text)) return 'year';
  return /\b(?:over time|trend|develop|timeline|history|growth)/.test(text) ? 'month' : undefined;
}

interface Said {
  readonly range: Span;
  readonly label: string;
}

function relativeRange(text: string, today: number): Said | undefined {
  const day = new Date(today);
  if (/\btoday\b/.test(text)) return { range: span(unitRange('day', day)), label: 'today' };
  if (/\byesterday\b/.test(text)) return { range: span(unitRange('day', day, -1)), label: 'yesterday' };
  const [, word, count, name] =
    /\b(this|current|last|past|previous)\s+(?:(\d+)\s+)?(day|week|month|quarter|year)s?\b/.exec(text) ?? [];
  const unit = units.find((candidate) => candidate === name);
  if (!unit) return undefined;
  const length = Number(count ?? 1);
  if (word === 'this' || word === 'current') return { range: span(unitRange(unit, day)), label: `this ${unit}` };
  const label = count === undefined ? `last ${unit}` : `the last ${count} ${unit}s`;
  return { range: span(unitRange(unit, day, -length, length)), label };
}

function absoluteRange(text: string): Said | undefined {
  return quarterOf(text) ?? monthOf(text) ?? yearsOf(text);
}

function quarterOf(text: string): Said | undefined {
  const [, quarter, year] = /\bq([1-4])\s*(?:of\s+)?(20\d\d)\b/.exec(text) ?? [];
  if (quarter === undefined || year === undefined) return undefined;
  const start = new Date(Date.UTC(Number(year), (Number(quarter) - 1) * 3, 1));
  return { range: span(unitRange('quarter', start)), label: `Q${quarter} ${year}` };
}

function monthOf(text: string): Said | undefined {
  const [, name, year] = new RegExp(`\\b(${monthPattern})\\.?\\s+(20\\d\\d)\\b`).exec(text) ?? [];
  if (name === undefined || year === undefined) return undefined;
  const index = months.findIndex((month) => month.startsWith(name.slice(0, 3)));
  const start = new Date(Date.UTC(Number(year), index, 1));
  return { range: span(unitRange('month', start)), label: `${months[index] ?? name} ${year}` };
}

function yearsOf(text: string): Said | undefined {
  const years = (text.match(/\b20\d\d\b/g) ?? []).map(Number);
  if (years.length === 0) return undefined;
  const first = Math.min(...years);
  const last = Math.max(...years);
  const { from } = span(unitRange('year', new Date(Date.UTC(first, 0, 1))));
  const { to } = span(unitRange('year', new Date(Date.UTC(last, 0, 1))));
  if (first === last && /\b(?:since|from)\b/.test(text)) return { range: { from }, label: `since ${String(first)}` };
  if (first === last && /\bafter\b/.test(text)) {
    return { range: { from: stamp(new Date(Date.UTC(first + 1, 0, 1))) }, label: `after ${String(first)}` };
  }
  if (first === last && /\b(?:before|until)\b/.test(text)) {
    return { range: { to: stamp(new Date(Date.UTC(first, 0, 1) - 1)) }, label: `before ${String(first)}` };
  }
  return { range: { from, to }, label: first === last ? String(first) : `${String(first)} to ${String(last)}` };
}

function span([from, to]: DateRange): Span {
  return { from, to };
}
