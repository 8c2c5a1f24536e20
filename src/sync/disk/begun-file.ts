import * as v from 'valibot';
import { parsedJson } from '#base/json.ts';
import type { Disk } from './disk.ts';

const schema = v.record(v.string(), v.unknown());

/** The begun work of a folder by name, in one JSON file beside its records of sync; there is no file when nothing is begun. */
export class BegunFile {
  readonly #disk: Disk;
  readonly #file: string;

  constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#file = file;
  }

  /** Reads the begun work. A file that cannot be parsed counts as empty: the versions that work replaced are in the trash as well. */
  async load(): Promise<Readonly<Record<string, unknown>>> {
    const bytes = await this.#disk.readNote(this.#file);
    const parsed = v.safeParse(schema, parsedJson(bytes?.toString('utf8')));
    return parsed.success ? parsed.output : {};
  }

  async save(begun: Readonly<Record<string, unknown>>): Promise<void> {
    if (Object.keys(begun).length === 0) await this.#disk.calls.remove(this.#file);
    else await this.#disk.replaceDurably(this.#file, Buffer.from(JSON.stringify(begun)));
  }
}
