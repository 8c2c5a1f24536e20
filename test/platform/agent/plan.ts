import type { Unit } from '../data/date-range.ts';
import { findEntry, type Entry, type Hit, type Source } from './catalogue.ts';
import { ranksTime, readPeriod, type Span } from './period.ts';
import { isEmptyWord, wordsOf, type Word } from './words.ts';

interface ValueFilter {
  readonly entry: Entry;
  readonly values: readonly string[];
}

/** A question understood: what to measure, how to cut it, what to keep. */
export interface Plan {
  readonly source: Source;
  readonly measures: readonly Entry[];
  readonly dimensions: readonly Entry[];
  readonly filters: readonly ValueFilter[];
  readonly time:
    | { readonly entry: Entry; readonly granularity: Unit | undefined; readonly range: Span | undefined }
    | undefined;
  readonly label: string | undefined;
  readonly order: 'ascending' | 'descending' | undefined;
  readonly limit: number | undefined;
  /** Words that named nothing, to be admitted in the answer. */
  readonly unknown: readonly string[];
  /** Whether a measure had to be assumed because the question named none. */
  readonly assumed: boolean;
}

/** How many words of a question a plan explains; only sources that explain some are worth a plan. */
interface Reading {
  readonly source: Source;
  readonly measures: readonly Hit[];
  readonly dimensions: readonly Hit[];
  readonly score: number;
  readonly used: ReadonlySet<number>;
}

/** The values of a dimension that occur in the data, for finding filters. */
export type ValueLookup = (entry: Entry) => Promise<readonly string[]>;

export interface PlanOptions {
  /** Milliseconds since the epoch: what `last month` counts from. */
  readonly today: number;
  readonly valuesOf: ValueLookup;
}

/** Reads the sources for one that can answer; undefined when no source knows any word of the question. */
export function chooseSource(question: string, catalogue: readonly Source[]): Source | undefined {
  return bestReading(wordsOf(question), catalogue)?.source;
}

/** The members of a source that some words name, measures first. */
export function namedMembers(words: readonly Word[], source: Source): readonly Entry[] {
  const { measures, dimensions } = readSource(words, source);
  return [...measures, ...dimensions].map((hit) => hit.entry);
}

/** Turns a question into a plan over the source that knows most of its words. */
export async function planQuestion(
  question: string,
  catalogue: readonly Source[],
  options: PlanOptions,
): Promise<Plan | undefined> {
  const words = wordsOf(question);
  const reading = bestReading(words, catalogue) ?? blankReading(catalogue);
  if (!reading) return undefined;
  const { source } = reading;
  const left = words.filter((word, at) => !reading.used.has(at) && !isEmptyWord(word) && !isTimeWord(word));
  const found = await findFilters(source, reading, left, options.valuesOf);
  if (reading.score === 0 && found.filters.length === 0) return undefined;
  const period = readPeriod(question, options.today);
  const timeEntry = timeOf(source);
  const compared = found.filters.filter(({ values }) => values.length > 1).map(({ entry }) => entry);
  const dimensions = uniqueEntries([...reading.dimensions.map((hit) => hit.entry), ...compared]).filter(
    ({ type }) => type !== 'time',
  );
  const named = reading.measures.map((hit) => hit.entry);
  const ranking = readRanking(question, period.granularity !== undefined && !ranksTime(question));
  const cuts = positionsAfterBy(words);
  // *Discounted orders* wants those that are; *by discounted* wants both.
  const flags = reading.dimensions.filter((hit) => hit.entry.type === 'boolean' && !hit.at.some((at) => cuts.has(at)));
  const flagged = new Set(flags.map((hit) => hit.entry));
  // *Store Berlin* names the store to keep, not a cut.
  const single = found.filters.filter(({ values }) => values.length === 1).map(({ entry }) => entry);
  const kept = reading.dimensions.filter((hit) => single.includes(hit.entry) && !hit.at.some((at) => cuts.has(at)));
  const dropped = new Set([...flagged, ...kept.map((hit) => hit.entry)]);
  return {
    source,
    measures: named.length > 0 ? named : defaultMeasures(source, question),
    dimensions: dimensions.filter((entry) => !dropped.has(entry)),
    filters: [...found.filters, ...[...flagged].map((entry) => ({ entry, values: ['true'] }))],
    time:
      timeEntry && (period.granularity || period.range)
        ? { entry: timeEntry, granularity: period.granularity, range: period.range }
        : undefined,
    label: timeEntry ? period.label : undefined,
    order: ranking.order,
    limit: ranking.limit,
    // A period that nothing can be limited to must not be passed over in silence.
    unknown: [
      ...found.unknown.map((word) => word.text),
      ...(period.label !== undefined && !timeEntry ? [period.label] : []),
    ],
    assumed: named.length === 0,
  };
}

/** No member is named, but perhaps a value is (*compare Germany and France*): the largest view is searched for it. */
function blankReading(catalogue: readonly Source[]): Reading | undefined {
  const size = (source: Source): number => source.entries.length + (source.type === 'view' ? 1000 : 0);
  const [source] = [...catalogue].sort((a, b) => size(b) - size(a));
  return source && { source, measures: [], dimensions: [], used: new Set(), score: 0 };
}

/**
 * The time that a source is asked by: its own first one, else one of a joined cube. The cube of an event (an order, a visit)
 * has more times than the cubes that describe it.
 */
export function timeOf(source: Source): Entry | undefined {
  const isTime = (entry: Entry): boolean => entry.kind === 'dimension' && entry.type === 'time';
  const joined = source.joined.filter(isTime);
  const count = (entry: Entry): number => joined.filter((other) => other.cube === entry.cube).length;
  return source.entries.find(isTime) ?? joined.toSorted((a, b) => count(b) - count(a))[0];
}

function bestReading(words: readonly Word[], catalogue: readonly Source[]): Reading | undefined {
  let best: Reading | undefined;
  for (const source of catalogue) {
    const reading = readSource(words, source);
    if (reading.score > (best?.score ?? 0)) best = reading;
  }
  return best;
}

/** Takes the best-named members first; a word names one member only. */
function readSource(words: readonly Word[], source: Source): Reading {
  const used = new Set<number>();
  const counting = words.some(({ text }, at) => ['many', 'number', 'count'].includes(text) && words.length > at + 1);
  const measures: Hit[] = [];
  const dimensions: Hit[] = [];
  const cuts = positionsAfterBy(words);
  let score = 0;
  for (;;) {
    const hits = [...source.entries, ...source.joined].flatMap((entry) => {
      const hit = findEntry(entry, words, used);
      return hit && !isTaken(entry, measures, dimensions) ? [{ hit, rank: rankOf(hit, cuts, source) }] : [];
    });
    const [best] = hits.sort((a, b) => b.rank - a.rank);
    if (!best || best.rank <= 0) break;
    (best.hit.entry.kind === 'measure' ? measures : dimensions).push(best.hit);
    for (const at of best.hit.at) used.add(at);
    // *How many …* wants a count, wherever there is one.
    const counts =
      counting && best.hit.entry.kind === 'measure' && best.hit.entry.aggType?.startsWith('count') === true;
    score += best.hit.score + (counts ? 0.5 : 0) - distance(best.hit, cuts, source);
  }
  // Views are made to be asked; among equals, the one that offers more.
  const bonus = score === 0 ? 0 : (source.type === 'view' ? 0.05 : 0) + source.entries.length / 1000;
  const inOrder = (hits: readonly Hit[]): readonly Hit[] =>
    hits.toSorted((a, b) => Math.min(...a.at) - Math.min(...b.at));
  return { source, measures: inOrder(measures), dimensions: inOrder(dimensions), used, score: score + bonus };
}

function isTaken(entry: Entry, measures: readonly Hit[], dimensions: readonly Hit[]): boolean {
  return [...measures, ...dimensions].some((hit) => hit.entry === entry);
}

/** After *by* stands what to cut by; anywhere else a measure is meant before a dimension. */
function rankOf(hit: Hit, cuts: ReadonlySet<number>, source: Source): number {
  const wanted = hit.entry.kind === 'measure' ? 0.05 : hit.at.some((at) => cuts.has(at)) ? 0.5 : 0;
  return hit.score + wanted - (hit.entry.type === 'time' ? 0.3 : 0) - distance(hit, cuts, source);
}

/** How far a hit is from what was said: a measure where a cut is wanted, a dimension that needs a join. */
function distance(hit: Hit, cuts: ReadonlySet<number>, source: Source): number {
  if (hit.entry.kind === 'measure') return hit.at.some((at) => cuts.has(at)) ? 0.4 : 0;
  return hit.entry.cube === source.name ? 0 : 0.2;
}

const rankings = ['top', 'best', 'bottom', 'worst', 'lowest', 'highest', 'biggest', 'largest', 'smallest'];

function positionsAfterBy(words: readonly Word[]): ReadonlySet<number> {
  const cuts = new Set<number>();
  let open = false;
  let ranked = false;
  for (const [at, { text }] of words.entries()) {
    // *Top 5 customers by revenue*: here the cut comes first, and *by* names the measure.
    if (rankings.includes(text)) open = ranked = true;
    else if (text === 'by' && ranked) open = ranked = false;
    else if (['by', 'per', 'across', 'each', 'which'].includes(text)) open = true;
    else if (['in', 'for', 'where', 'with', 'since', 'during', 'has', 'have', 'had', 'is', 'are'].includes(text))
      open = false;
    else if (open) cuts.add(at);
  }
  return cuts;
}

async function findFilters(
  source: Source,
  reading: Reading,
  left: readonly Word[],
  valuesOf: ValueLookup,
): Promise<{ readonly filters: readonly ValueFilter[]; readonly unknown: readonly Word[] }> {
  let unknown = left;
  const filters: ValueFilter[] = [];
  const mentioned = new Set(reading.dimensions.map((hit) => hit.entry));
  // What the question mentions first, then the source's own, and a plain *country* before a *store country*.
  const rank = (entry: Entry): number =>
    (mentioned.has(entry) ? 0 : 100) + (entry.cube === source.name ? 0 : 50) + entry.title.split(' ').length;
  const candidates = [...source.entries, ...source.joined]
    .filter((entry) => entry.kind === 'dimension' && entry.type === 'string')
    .sort((a, b) => rank(a) - rank(b));
  for (const entry of candidates) {
    if (unknown.length === 0) break;
    const values: string[] = [];
    for (const value of await valuesOf(entry)) {
      const parts = wordsOf(value);
      const rest = unknown.filter((word) => !parts.some((part) => part.stem === word.stem));
      if (parts.length === 0 || unknown.length - rest.length < parts.length) continue;
      values.push(value);
      unknown = rest;
    }
    if (values.length > 0) filters.push({ entry, values });
  }
  return { filters, unknown };
}

function readRanking(
  question: string,
  overTime: boolean,
): { readonly order: Plan['order']; readonly limit: number | undefined } {
  const text = question.toLowerCase();
  const [, counted] =
    /\b(?:top|best|bottom|worst|first|highest|lowest|biggest|largest|smallest)\s+(\d{1,3})\b/.exec(text) ?? [];
  const [, before] =
    /\b(\d{1,3})\s+(?:\w+\s+)?(?:top|best|worst|biggest|largest|smallest|highest|lowest)\b/.exec(text) ?? [];
  const limit = counted ?? before;
  const low = /\b(?:bottom|worst|lowest|least|smallest|fewest|weakest)\b/.test(text);
  const high = /\b(?:top|best|highest|most|biggest|largest|strongest|busiest)\b/.test(text);
  if (limit !== undefined) return { order: low ? 'ascending' : 'descending', limit: Math.max(1, Number(limit)) };
  // Over time the order is time's own.
  if ((low || high) && !overTime) return { order: low ? 'ascending' : 'descending', limit: 5 };
  return { order: undefined, limit: undefined };
}

/** *How many …* means a count; anything else the first measure, which is the one the model's author put first. */
function defaultMeasures(source: Source, question: string): readonly Entry[] {
  const measures = source.entries.filter((entry) => entry.kind === 'measure');
  const counts = measures.filter((entry) => entry.aggType === 'count');
  const chosen = /\bhow many\b/i.test(question) ? (counts[0] ?? measures[0]) : measures[0];
  return chosen ? [chosen] : [];
}

function isTimeWord(word: Word): boolean {
  return (
    /^(?:20\d\d|q[1-4]|\d{1,3}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/.test(word.text) &&
    word.text.length < 10
  );
}

function uniqueEntries(entries: readonly Entry[]): readonly Entry[] {
  return [...new Set(entries)];
}
