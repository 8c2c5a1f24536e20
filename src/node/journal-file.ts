import { type FileHandle, open, readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { Sequencer } from '#base/async.ts';
import type { JournalRecord } from '#sync/journal.ts';
import type { JournalStore } from '#sync/ports.ts';
import { bootId } from './boot-id.ts';
import { replaceDurably } from './disk.ts';

/** The journal: one record a line, each with its checksum. What a crash tore off at the end is not read. */
export class JournalFile implements JournalStore {
  readonly boot = bootId();
  readonly #file: string;
  readonly #turn = new Sequencer();
  #handle: Promise<FileHandle> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  async load(): Promise<readonly JournalRecord[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const records: JournalRecord[] = [];
    // The part after the last newline is an unfinished record.
    for (const line of text.split('\n').slice(0, -1)) {
      const json = line.slice(9);
      if (line.slice(0, 8) !== checksum(json)) break;
      records.push(JSON.parse(json) as JournalRecord);
    }
    return records;
  }

  append(records: readonly JournalRecord[], durable: boolean): Promise<void> {
    // One after the other: records of two runs must not mix.
    return this.#turn.queue(async () => {
      this.#handle ??= open(this.#file, 'a', 0o600);
      const handle = await this.#handle;
      if (records.length > 0) await handle.appendFile(encode(records));
      if (durable) await handle.datasync();
    });
  }

  reset(records: readonly JournalRecord[]): Promise<void> {
    return this.#turn.queue(async () => {
      await this.#release();
      await replaceDurably(this.#file, Buffer.from(encode(records)));
    });
  }

  close(): Promise<void> {
    return this.#turn.queue(() => this.#release());
  }

  async #release(): Promise<void> {
    const handle = await this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

function encode(records: readonly JournalRecord[]): string {
  return records
    .map((record) => {
      const json = JSON.stringify(record);
      return `${checksum(json)} ${json}\n`;
    })
    .join('');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
