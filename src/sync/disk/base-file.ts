import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { BaseEntry, BaseSnapshot } from '#sync/core/base.ts';
import type { BaseStore } from '#sync/core/ports.ts';
import type { Disk } from './disk.ts';

const MAGIC = 'modelbench-base 2';
const SLICE = 5000;
/** The bytes that are hashed between two turns of the event loop. */
const SEALED_BYTES = 1024 * 1024;
const HASH_LENGTH = 40;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/**
 * The base snapshot as one text file: a header, one line per path (`hash size path`), and a checksum of the whole. It
 * is written and read in slices, so that a hundred thousand files never block the extension host.
 */
export class BaseFile implements BaseStore {
  readonly #disk: Disk;
  readonly #file: string;

  constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#file = file;
  }

  async load(): Promise<BaseSnapshot | 'damaged' | undefined> {
    const bytes = await this.#disk.readNote(this.#file);
    if (!bytes) return undefined;
    const body = bytes.subarray(0, Math.max(0, bytes.length - 41));
    const seal = await sealOf(body);
    if (bytes.toString('latin1', body.length) !== `${seal}\n`) return 'damaged';
    const snapshot = await parse(body);
    return snapshot === 'damaged' ? snapshot : { ...snapshot, seal };
  }

  async save(snapshot: BaseSnapshot): Promise<string> {
    const { target, generation, root, isDoubtful } = snapshot;
    const head: BaseHead = { target, generation, root, isDoubtful };
    const chunks: Buffer[] = [];
    const sealing = createHash('sha1');
    const add = (text: string): void => {
      const chunk = Buffer.from(text);
      // Hash along the way, because sealing megabytes in one go would block the host.
      sealing.update(chunk);
      chunks.push(chunk);
    };
    add(`${MAGIC}\n${JSON.stringify(head)}\n`);
    // Recording a hundred thousand agreements has already blocked the host for a moment.
    if (snapshot.entries.size > SLICE) await turn();
    let lines = '';
    let count = 0;
    for (const [path, { hash, size }] of snapshot.entries) {
      lines += `${hash} ${size} ${path}\n`;
      if (++count % SLICE === 0) {
        add(lines);
        lines = '';
        await turn();
      }
    }
    add(lines);
    const seal = sealing.digest('hex');
    await this.#disk.replaceDurably(this.#file, Buffer.concat([...chunks, Buffer.from(`${seal}\n`)]));
    return seal;
  }
}

async function sealOf(body: Buffer): Promise<string> {
  const sealing = createHash('sha1');
  for (let at = 0; at < body.length; at += SEALED_BYTES) {
    sealing.update(body.subarray(at, at + SEALED_BYTES));
    if (at + SEALED_BYTES < body.length) await turn();
  }
  return sealing.digest('hex');
}

/** The second line of the file. */
type BaseHead = Omit<BaseSnapshot, 'entries' | 'seal'>;

async function parse(body: Buffer): Promise<BaseSnapshot | 'damaged'> {
  const entries = new Map<string, BaseEntry>();
  const magicEnd = endOfLine(body, 0);
  const first = magicEnd + 1;
  if (body.toString('utf8', 0, magicEnd) !== MAGIC || first >= body.length) return 'damaged';
  const headerEnd = endOfLine(body, first);
  for (let at = headerEnd + 1, count = 1; at < body.length; count++) {
    const end = endOfLine(body, at);
    const sizeAt = at + HASH_LENGTH + 1;
    const gap = body.indexOf(SPACE, sizeAt);
    const hash = body.toString('latin1', at, sizeAt - 1);
    const path = body.toString('utf8', gap + 1, end);
    entries.set(path, { path, hash, size: Number(body.toString('latin1', sizeAt, gap)) });
    at = end + 1;
    if (count % SLICE === 0) await turn();
  }
  const head = JSON.parse(body.toString('utf8', first, headerEnd)) as BaseHead;
  return { ...head, root: head.root, entries };
}

function endOfLine(body: Buffer, from: number): number {
  const newline = body.indexOf(NEWLINE, from);
  return newline === -1 ? body.length : newline;
}
