import type { ModelSession } from '../data/service.ts';
import type { Source } from './catalogue.ts';
import { chooseSource, timeOf, type ValueLookup } from './plan.ts';

/** A dimension with more values than this is not searched for words of a question. */
const searchable = 500;

/** Looks up the values that dimensions take, each dimension once a question. */
export function createValues(session: ModelSession): ValueLookup {
  const known = new Map<string, Promise<readonly string[]>>();
  return (entry) => {
    const key = `${entry.cube}.${entry.name}`;
    const values = known.get(key) ?? distinct(session, entry.cube, entry.name);
    known.set(key, values);
    return values;
  };
}

async function distinct(session: ModelSession, source: string, column: string): Promise<readonly string[]> {
  const table = await session.cubeSql(`SELECT DISTINCT ${column} FROM ${source} LIMIT ${String(searchable + 1)}`);
  // A dimension that cannot be queried on its own has nothing to offer; the question itself will say what is wrong.
  if (!table.ok || table.value.data.length > searchable) return [];
  return table.value.data.flatMap(([value]) => (typeof value === 'string' ? [value] : [])).sort();
}

/** The last moment of the data that a question is about (milliseconds since the epoch). */
export async function lastDayOf(
  session: ModelSession,
  catalogue: readonly Source[],
  question: string,
): Promise<number | undefined> {
  const source = chooseSource(question, catalogue);
  const time = source && timeOf(source);
  if (!time) return undefined;
  const table = await session.cubeSql(`SELECT MAX(${time.name}) AS last FROM ${time.cube}`);
  const last = table.ok ? table.value.data[0]?.[0] : undefined;
  const at = typeof last === 'string' ? Date.parse(`${last}Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
