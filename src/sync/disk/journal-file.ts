import { largest } from '#base/long-lists.ts';
import { constants } from 'node:fs';
import { crc32 } from 'node:zlib';
import { Sequencer } from '#base/async.ts';
import type { JournalRecord } from '#sync/core/record/journal.ts';
import type { JournalContent, JournalStore } from '#sync/core/ports.ts';
import { bootId } from './boot-id.ts';
import type { Disk } from './disk.ts';
import type { WritableFile } from './plain-file.ts';

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
const NEWLINE = 0x0a;
const SUM_LENGTH = 8;

/**
 * The journal: one record per line. Each line's checksum covers all lines before it, so that no record can be changed,
 * lost or moved unnoticed. It is stored twice: damage to one file loses nothing, and what both lack was cut off by a
 * crash.
 */
export class JournalFile implements JournalStore {
  readonly boot = bootId();
  readonly #disk: Disk;
  readonly #files: readonly [string, string];
  readonly #turn = new Sequencer();
  /** Both copies, open for appending; undefined until the next append. */
  #open: readonly WritableFile[] | undefined;
  /** The checksum of the last record; undefined when the files may have different content. */
  #sum: number | undefined;
  /** The number of this journal, which identifies a copy that was not replaced in time. */
  #run: number | undefined;

  constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#files = [file, `${file}.copy`];
  }

  async load(): Promise<JournalContent> {
    const copies = await Promise.all(this.#files.map((file) => this.#read(file)));
    this.#run = largest(copies.map(({ run }) => run));
    return better(copies);
  }

  append(records: readonly JournalRecord[], durable: boolean): Promise<void> {
    // Queue the writes: records of two runs must not mix.
    return this.#turn.queue(async () => {
      if (this.#sum === undefined) throw new Error('The journal must be started before anything is noted in it.');
      const { text, sum } = encode(records, this.#sum);
      // Until both copies are known to contain the records, nothing may be appended to what they may contain.
      this.#sum = undefined;
      try {
        this.#open ??= await this.#openBoth();
        for (const file of this.#open) if (records.length > 0) await file.appendFile(text);
        if (durable) await Promise.all(this.#open.map((file) => file.datasync()));
      } catch (error) {
        await this.#release();
        throw error;
      }
      this.#sum = sum;
    });
  }

  reset(records: readonly JournalRecord[]): Promise<void> {
    return this.#turn.queue(async () => {
      this.#sum = undefined;
      await this.#release();
      if (this.#run === undefined) await this.load();
      const run = (this.#run ?? 0) + 1;
      const { text, sum } = encode([{ run }, ...records], 0);
      this.#run = run;
      for (const file of this.#files) await this.#disk.replaceDurably(file, Buffer.from(text));
      this.#sum = sum;
    });
  }

  close(): Promise<void> {
    return this.#turn.queue(() => this.#release());
  }

  async #openBoth(): Promise<readonly WritableFile[]> {
    const opened: WritableFile[] = [];
    try {
      for (const file of this.#files) opened.push(await this.#disk.calls.open(file, APPEND, 0o600));
      return opened;
    } catch (error) {
      await Promise.allSettled(opened.map((file) => file.close()));
      throw error;
    }
  }

  async #release(): Promise<void> {
    const open = this.#open ?? [];
    this.#open = undefined;
    // A file that fails to close loses nothing: what had to be durable was flushed.
    await Promise.allSettled(open.map((file) => file.close()));
  }

  async #read(file: string): Promise<Copy> {
    const bytes = await this.#disk.readNote(file);
    return bytes ? decode(bytes) : { run: 0, records: [], sums: [], lines: 0, state: 'missing' };
  }
}

/** The content of one of the two files. */
interface Copy {
  /** The number of the journal; 0 where it cannot be read. */
  readonly run: number;
  /** The records up to the first damaged one, and the checksum of each line. */
  readonly records: readonly JournalRecord[];
  readonly sums: readonly number[];
  /** The number of complete lines, damaged ones included. */
  readonly lines: number;
  /** `torn`: the last line is incomplete, as after a crash. */
  readonly state: 'whole' | 'torn' | 'damaged' | 'missing';
}

/** Returns the content of the better copy. A damaged copy never hides that the other one lacks something. */
function better(copies: readonly Copy[]): JournalContent {
  const missing = copies.every(({ state }) => state === 'missing');
  const sound = copies.filter(({ state, run }) => (state === 'whole' || state === 'torn') && run > 0);
  const [best] = sound.toSorted((a, b) => b.run - a.run || b.records.length - a.records.length);
  if (!best) return { records: [], damaged: !missing, missing };
  // A crash prevented the replacement of an earlier journal's copy: nothing was recorded since.
  const rivals = copies.filter(({ run }) => run === best.run || run === 0);
  const agree = rivals.every(({ sums }) => sums.every((sum, at) => sum === best.sums[at]));
  // A byte that was damaged into a newline adds a line.
  const hides = rivals.some(({ lines }) => lines > best.sums.length + 1);
  const damaged = !agree || hides;
  return { records: damaged ? [] : best.records, damaged, missing: false };
}

/** The first line, which numbers the journal. */
interface Head {
  readonly run: number;
}

function encode(
  records: readonly (JournalRecord | Head)[],
  from: number,
): { readonly text: string; readonly sum: number } {
  let sum = from;
  let text = '';
  for (const record of records) {
    const json = JSON.stringify(record);
    sum = crc32(json, sum);
    text += `${sum.toString(16).padStart(SUM_LENGTH, '0')} ${json}\n`;
  }
  return { text, sum };
}

function decode(bytes: Buffer): Copy {
  const records: JournalRecord[] = [];
  const sums: number[] = [];
  let sum = 0;
  let run = 0;
  let lines = 0;
  let isSound = true;
  let at = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; at = end + 1, end = bytes.indexOf(NEWLINE, at)) {
    lines += 1;
    const json = bytes.subarray(Math.min(at + SUM_LENGTH + 1, end), end);
    sum = crc32(json, sum);
    isSound &&= bytes.toString('latin1', at, at + SUM_LENGTH + 1) === `${sum.toString(16).padStart(SUM_LENGTH, '0')} `;
    if (!isSound) continue;
    const record = JSON.parse(json.toString('utf8')) as JournalRecord | Head;
    if ('run' in record) run = record.run;
    else records.push(record);
    sums.push(sum);
  }
  // A damaged newline joins two lines, or makes the last one seem incomplete: the other copy decides.
  const state = !isSound ? 'damaged' : at < bytes.length ? 'torn' : 'whole';
  return { run, records, sums, lines, state };
}
