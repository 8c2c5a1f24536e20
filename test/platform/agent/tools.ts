import { randomUUID } from 'node:crypto';
import type { DataService, ModelSession, Target } from '../data/service.ts';
import { findEntry, readCatalogue, type Source } from './catalogue.ts';
import { writeChart } from './chart.ts';
import type { Rows } from './answer-text.ts';
import type { Plan } from './plan.ts';
import { writeSql } from './query-sql.ts';
import { ToolError, type Speech } from './speech.ts';
import { wordsOf } from './words.ts';

/** Rows in a tool result (docs/chat.md#tools). */
const rowLimit = 100;
/** Members of a cube in a search result. */
const memberLimit = 25;

/** The branch's model as one question sees it. */
export interface Model {
  readonly session: ModelSession;
  readonly catalogue: readonly Source[];
}

/** Tool `serviceMeta` (docs/chat.md#tools): finds the cubes and views whose words the question uses; all of them when it uses none. */
export async function searchMeta(speech: Speech, data: DataService, target: Target, question: string): Promise<Model> {
  return speech.tool('serviceMeta', { searchQuery: question }, async () => {
    const opened = await data.open(target).catch((error: unknown) => {
      throw new ToolError(error instanceof Error ? error.message : String(error));
    });
    if (!opened.ok) throw new ToolError(opened.error.error);
    const session = opened.value;
    const catalogue = readCatalogue(session.cubes);
    return { result: { cubes: foundCubes(catalogue, question), searchQuery: question }, value: { session, catalogue } };
  });
}

function foundCubes(catalogue: readonly Source[], question: string): readonly unknown[] {
  const words = wordsOf(question);
  const ranked = catalogue
    .map((source) => {
      const hits = source.entries.flatMap((entry) => findEntry(entry, words, new Set())?.score ?? []);
      return { source, score: hits.reduce((sum, score) => sum + score, 0) };
    })
    .sort((a, b) => b.score - a.score);
  const matching = ranked.filter(({ score }) => score > 0);
  return (matching.length > 0 ? matching.slice(0, 5) : ranked).map(({ source }) => ({
    name: source.name,
    type: source.type,
    title: source.title,
    members: bestFirst(source, words)
      .slice(0, memberLimit)
      .map(({ name, title, description, type, aggType, kind }) => ({
        name: `${source.name}.${name}`,
        title,
        description: description ?? '',
        type,
        ...(kind === 'measure' ? { aggType } : {}),
      })),
  }));
}

/** Members that the question names come first. */
function bestFirst(source: Source, words: ReturnType<typeof wordsOf>): readonly Source['entries'][number][] {
  const score = (entry: Source['entries'][number]): number => findEntry(entry, words, new Set())?.score ?? 0;
  return [...source.entries].sort((a, b) => score(b) - score(a));
}

export interface Ask {
  readonly plan: Plan;
  readonly title: string;
  readonly question: string;
  readonly signal: AbortSignal;
}

/** Tool `serviceSqlApi` (docs/chat.md#tools): runs a plan's SQL over the model and shows the first 100 rows. */
export async function runPlan(speech: Speech, session: ModelSession, ask: Ask): Promise<Rows> {
  const sqlQuery = writeSql(ask.plan);
  const vegaSpec = writeChart(ask.plan);
  const input = {
    sqlQuery,
    queryTitle: ask.title,
    description: `${ask.title}, from ${ask.plan.source.title}.`,
    userRequest: ask.question,
    memoryId: '',
    ...(vegaSpec === undefined ? {} : { vegaSpec }),
  };
  return speech.tool('serviceSqlApi', input, async () => {
    const table = await session.cubeSql(sqlQuery, ask.signal);
    if (!table.ok) throw new ToolError(table.error.error);
    const { schema, data: rows } = table.value;
    const { memoryId: _memoryId, ...told } = input;
    const data = rows.slice(0, rowLimit);
    const result = { ...told, schema, data, totalRows: rows.length, uuid: randomUUID() };
    return { result, value: { data, total: rows.length } };
  });
}
