import type { Entry, Source } from './catalogue.ts';
import type { Plan } from './plan.ts';
import type { Rows } from './answer-text.ts';
import { formatCell, formatNumber, formatTime } from './format.ts';

/** One question of the long story, and its rows once they are known. */
interface Chapter {
  readonly title: string;
  readonly plan: Plan;
}

/** Up to this many dimensions get a chapter. */
const chapters = 6;

/** The chapters of a long story about the source that has most to tell; none when nothing can be added up over time. */
export function planStory(catalogue: readonly Source[]): readonly Chapter[] {
  const tellable = catalogue.filter((source) => source.entries.some(isAdditive) && source.entries.some(isTime));
  const source = tellable.sort((a, b) => weight(b) - weight(a))[0];
  const measure = source?.entries.find(isAdditive);
  const time = source?.entries.find(isTime);
  if (!source || !measure || !time) return [];
  const base = { source, measures: [measure], filters: [], label: undefined, unknown: [], assumed: false };
  const byTime: Plan = {
    ...base,
    dimensions: [],
    time: { entry: time, granularity: 'month', range: undefined },
    order: undefined,
    limit: undefined,
  };
  const dimensions = source.entries
    .filter((entry) => entry.kind === 'dimension' && entry.type === 'string')
    .slice(0, chapters);
  return [
    { title: 'Month by month', plan: byTime },
    ...dimensions.map((entry) => ({
      title: entry.title,
      plan: { ...base, dimensions: [entry], time: undefined, order: 'descending' as const, limit: 12 },
    })),
  ];
}

function weight(source: Source): number {
  return source.entries.length + (source.type === 'view' ? 100 : 0);
}

function isAdditive(entry: Entry): boolean {
  return entry.kind === 'measure' && ['sum', 'count'].includes(entry.aggType ?? '');
}

function isTime(entry: Entry): boolean {
  return entry.kind === 'dimension' && entry.type === 'time';
}

/** Tells the chapters, every number out of the rows; long enough to be stopped in the middle. */
export function* tellStory(told: readonly (Chapter & { readonly rows: Rows })[]): Generator<string> {
  const [first] = told;
  const measure = first?.plan.measures[0];
  if (!first || !measure) return;
  yield `# The story of ${first.plan.source.title.toLowerCase()}\n\n`;
  yield `It is told in ${String(told.length)} chapters, and every number comes from the data. What is counted is **${measure.title.toLowerCase()}**.\n\n`;
  for (const chapter of told) {
    yield `## ${chapter.title}\n\n`;
    yield* chapter.plan.time ? monthByMonth(measure, chapter.rows) : rankByRank(measure, chapter);
  }
  yield 'That is the end of the story. Ask me about any part of it.\n';
}

function* monthByMonth(measure: Entry, rows: Rows): Generator<string> {
  let before: number | undefined;
  let best = 0;
  for (const [index, row] of rows.data.entries()) {
    const value = Number(row[1] ?? 0);
    const when = formatTime(String(row[0]), 'month');
    const moved = before === undefined || before === 0 ? undefined : ((value - before) / before) * 100;
    const record = value > best && index > 0 ? ' A new record.' : '';
    yield `**${when}** brought ${formatNumber(value, measure)}${movement(moved)}.${record} `;
    if (when.startsWith('December')) yield '\n\n';
    before = value;
    best = Math.max(best, value);
  }
  yield '\n\n';
}

function movement(percent: number | undefined): string {
  if (percent === undefined) return ', which is where the story begins';
  if (Math.abs(percent) < 2) return ', about as much as the month before';
  const size = `${Math.abs(percent).toFixed(1)} %`;
  return percent > 0 ? `, ${size} more than the month before` : `, ${size} less than the month before`;
}

function* rankByRank(measure: Entry, { plan, rows }: Chapter & { readonly rows: Rows }): Generator<string> {
  const [entry] = plan.dimensions;
  if (!entry) return;
  const sum = rows.data.reduce((total, row) => total + Number(row[1] ?? 0), 0);
  for (const [index, row] of rows.data.entries()) {
    const value = Number(row[1] ?? 0);
    const share = sum > 0 ? ((value / sum) * 100).toFixed(1) : '0';
    const name = formatCell(row[0] ?? null, entry);
    yield index === 0
      ? `The largest ${entry.title.toLowerCase()} is **${name}** with ${formatNumber(value, measure)}, ${share} % of the ${String(rows.data.length)} told here. `
      : `Number ${String(index + 1)} is **${name}** with ${formatNumber(value, measure)} (${share} %). `;
  }
  yield '\n\n';
}
