import { constants } from 'node:fs';
import path from 'node:path';
import type { HistoryRun, HistoryStore } from '#sync/core/undo/history.ts';
import { checkedPieces, readCheckedLine } from './checked-line.ts';
import { codeOf } from '#base/system-error.ts';
import type { Disk } from './disk.ts';

/** Above this size, the older half is dropped. */
const MAX_BYTES = 4 * 1024 * 1024;
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
/** The number of entries of a run that are written at once. */
const PIECE = 200;

/**
 * The history of a folder and branch: one line of JSON with a checksum per run. A damaged line is left out, because
 * undoing it would change other files than the run did.
 */
export class HistoryFile implements HistoryStore {
  readonly #disk: Disk;
  readonly #file: string;
  readonly #maxBytes: number;
  /** Runs that may be missing in the file, because it could not be written when they ended. */
  #waiting: readonly HistoryRun[] = [];

  constructor(disk: Disk, file: string, maxBytes = MAX_BYTES) {
    this.#disk = disk;
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  async list(): Promise<readonly HistoryRun[]> {
    const runs = [...(await this.#stored()), ...this.#waiting];
    return [...new Map(runs.map((run) => [run.id, run])).values()];
  }

  async append(run: HistoryRun): Promise<void> {
    this.#waiting = [...this.#waiting, run];
    await this.#disk.makeFolder(path.dirname(this.#file));
    const isNew = this.#disk.stat(this.#file) === undefined;
    await this.#add(this.#waiting);
    if (isNew) await this.#disk.syncFolder(path.dirname(this.#file));
    this.#waiting = [];
    const { size } = await this.#disk.calls.stat(this.#file);
    if (size > this.#maxBytes) await this.#dropOldest();
  }

  async #stored(): Promise<readonly HistoryRun[]> {
    let text: string;
    try {
      text = (await this.#disk.calls.readFile(this.#file)).toString('utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      // A file that cannot be read now is not empty: rewriting it would lose its content.
      throw error;
    }
    return text.split('\n').flatMap((line) => (readCheckedLine(line) as HistoryRun | undefined) ?? []);
  }

  async #add(runs: readonly HistoryRun[]): Promise<void> {
    const handle = await this.#disk.calls.open(this.#file, APPEND, 0o600);
    try {
      // A line that a crash cut off must not swallow the next one.
      await handle.appendFile('\n');
      for (const run of runs) for (const piece of lineOf(run)) await handle.appendFile(piece);
      // Saves are frequent and cannot be undone from the history, so they are not flushed.
      if (runs.some(({ action }) => action !== 'save')) await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  async #dropOldest(): Promise<void> {
    const kept: string[] = [];
    let bytes = 0;
    for (const run of (await this.list()).toReversed()) {
      const line = [...lineOf(run)].join('');
      bytes += line.length;
      if (kept.length > 0 && bytes > this.#maxBytes / 2) break;
      kept.push(line);
    }
    await this.#disk.replaceDurably(this.#file, Buffer.from(kept.toReversed().join('')));
  }
}

/** Generates the line of a run in pieces: for a whole branch, it has megabytes. */
function lineOf({ applied, ...rest }: HistoryRun): Iterable<string> {
  return checkedPieces(
    (function* () {
      yield `${JSON.stringify(rest).slice(0, -1)},"applied":[`;
      for (let at = 0; at < applied.length; at += PIECE) {
        yield (at === 0 ? '' : ',') + JSON.stringify(applied.slice(at, at + PIECE)).slice(1, -1);
      }
      yield ']}';
    })(),
  );
}
