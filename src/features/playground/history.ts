import { largest } from '#base/long-lists.ts';
import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { parsed } from '#base/parsed.ts';
import type { StateStore } from '#shell/ports.ts';
import type { QueryTarget } from '#features/data/index.ts';
import { columnsOf, draftSchema } from './draft.ts';
import type { PastRun } from './messages.ts';

const entry = v.object({
  id: v.number(),
  at: v.number(),
  rows: v.number(),
  milliseconds: v.number(),
  draft: draftSchema,
});
/** A query that returned rows. Times are in milliseconds. */
export type HistoryEntry = v.InferOutput<typeof entry>;

/** The number of queries to keep for each deployment or server. */
export const mostRuns = 30;

/**
 * The queries that were run on a deployment or a Cube Core server, newest first; stored for the workspace, without their rows.
 */
export class QueryHistory {
  readonly #state: StateStore;
  readonly #key: string;

  constructor(state: StateStore, target: QueryTarget) {
    this.#state = state;
    this.#key = `playground.history.${queryTargetKey(target)}`;
  }

  all(): readonly HistoryEntry[] {
    const kept = this.#state.get(this.#key);
    return (Array.isArray(kept) ? kept : []).flatMap((value) => parsed(entry, value) ?? []);
  }

  /** Adds a run at the top; removes an earlier run of the same query. */
  async add(run: Omit<HistoryEntry, 'id'>): Promise<void> {
    const all = this.all();
    const same = JSON.stringify(run.draft);
    const others = all.filter(({ draft }) => JSON.stringify(draft) !== same);
    const id = largest([0, ...all.map((each) => each.id)]) + 1;
    await this.#state.set(this.#key, [{ ...run, id }, ...others].slice(0, mostRuns));
  }

  async clear(): Promise<void> {
    await this.#state.set(this.#key, undefined);
  }
}

/** Describes a past query: its columns, time, number of rows and duration. */
export function pastRun({ id, at, rows, milliseconds, draft }: HistoryEntry): PastRun {
  const filters = draft.filters.flat().length;
  return {
    id,
    title: columnsOf(draft).join(', '),
    about: [
      new Date(at).toLocaleString('en'),
      plural(rows, 'row'),
      `${(milliseconds / 1000).toFixed(1)} s`,
      ...(filters > 0 ? [plural(filters, 'filter')] : []),
    ].join(' · '),
  };
}

/** Returns a key that is unique for a deployment with all its environments, or for a Cube Core server. */
export function queryTargetKey(target: QueryTarget): string {
  return JSON.stringify(target.kind === 'cubeCore' ? [target.restUrl] : [target.accountId, target.deploymentId]);
}
