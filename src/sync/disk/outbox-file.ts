import * as v from 'valibot';
import { parsedJson } from '#base/json.ts';
import type { OutboxStore, StoredSave } from '#sync/core/ports.ts';
import type { Disk } from './disk.ts';

const schema = v.array(v.object({ path: v.string(), hash: v.nullable(v.string()), reason: v.string() }));

/** The waiting saves, in one small JSON file; there is no file when none waits. */
export class OutboxFile implements OutboxStore {
  readonly #disk: Disk;
  readonly #file: string;

  constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#file = file;
  }

  /** Reads the waiting saves. A file that cannot be parsed counts as empty: its saves are then ordinary local changes. */
  async load(): Promise<readonly StoredSave[]> {
    const bytes = await this.#disk.readNote(this.#file);
    const parsed = v.safeParse(schema, parsedJson(bytes?.toString('utf8')));
    return parsed.success ? parsed.output : [];
  }

  async save(saves: readonly StoredSave[]): Promise<void> {
    if (saves.length === 0) await this.#disk.calls.remove(this.#file);
    else await this.#disk.replaceDurably(this.#file, Buffer.from(JSON.stringify(saves)));
  }
}
