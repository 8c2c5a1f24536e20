import { mkdir, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HistoryRun, HistoryStore } from '#sync/history.ts';

/** Above this size the older half goes. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Entries of a run that are written at once. */
const PIECE = 200;

/** The history of a folder and branch: a line of JSON for each run. What cannot be read of it is left out. */
export class HistoryFile implements HistoryStore {
  readonly #file: string;
  readonly #maxBytes: number;

  constructor(file: string, maxBytes = MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  async list(): Promise<readonly HistoryRun[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => runOf(line) ?? []);
  }

  async append(run: HistoryRun): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    // A line that a crash cut must not swallow the next one.
    const file = await open(this.#file, 'a', 0o600);
    try {
      for (const piece of lineOf(run)) await file.appendFile(piece);
    } finally {
      await file.close();
    }
    const { size } = await stat(this.#file);
    if (size > this.#maxBytes) await this.#dropOldest();
  }

  async #dropOldest(): Promise<void> {
    const runs = await this.list();
    const kept: string[] = [];
    let bytes = 0;
    for (const run of runs.toReversed()) {
      const line = JSON.stringify(run);
      bytes += line.length;
      if (kept.length > 0 && bytes > this.#maxBytes / 2) break;
      kept.push(line);
    }
    const fresh = `${this.#file}.new`;
    await writeFile(fresh, `${kept.toReversed().join('\n')}\n`, { mode: 0o600 });
    await rename(fresh, this.#file);
  }
}

/** The line of a run, between line breaks, in pieces: that of a whole branch has megabytes. */
function* lineOf(run: HistoryRun): Generator<string> {
  const { applied, ...rest } = run;
  yield `\n${JSON.stringify(rest).slice(0, -1)},"applied":[`;
  for (let at = 0; at < applied.length; at += PIECE) {
    yield (at === 0 ? '' : ',') + JSON.stringify(applied.slice(at, at + PIECE)).slice(1, -1);
  }
  yield ']}\n';
}

function runOf(line: string): HistoryRun | undefined {
  if (line === '') return undefined;
  try {
    const run = JSON.parse(line) as Partial<HistoryRun> | null;
    const isWhole = typeof run?.id === 'string' && typeof run.time === 'number' && Array.isArray(run.applied);
    return isWhole ? (run as HistoryRun) : undefined;
  } catch {
    return undefined;
  }
}
