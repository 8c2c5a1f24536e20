import { hash as hashOf } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { BaseEntry, BaseSnapshot } from '#sync/base.ts';
import type { BaseStore } from '#sync/ports.ts';
import { codeOf, replaceDurably } from './disk.ts';

const MAGIC = 'modelbench-base 1';
const SLICE = 5000;

/**
 * The base snapshot as one text file: a header, one line a path (`hash size path`), and a checksum over all of it. It is
 * written and read in slices, so that a hundred thousand files never hold up the host.
 */
export class BaseFile implements BaseStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async load(): Promise<BaseSnapshot | 'damaged' | undefined> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.#file);
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? undefined : 'damaged';
    }
    const body = bytes.subarray(0, Math.max(0, bytes.length - 41));
    if (bytes.toString('latin1', body.length) !== `${hashOf('sha1', body)}\n`) return 'damaged';
    return parse(body);
  }

  async save(snapshot: BaseSnapshot): Promise<void> {
    const { target, generation, root } = snapshot;
    const parts = [Buffer.from(`${MAGIC}\n${JSON.stringify({ target, generation, root })}\n`)];
    let lines = '';
    let count = 0;
    for (const [path, { hash, size }] of snapshot.entries) {
      lines += `${hash} ${size} ${path}\n`;
      if (++count % SLICE === 0) {
        parts.push(Buffer.from(lines));
        lines = '';
        await turn();
      }
    }
    parts.push(Buffer.from(lines));
    const body = Buffer.concat(parts);
    await replaceDurably(this.#file, Buffer.concat([body, Buffer.from(`${hashOf('sha1', body)}\n`)]));
  }
}

async function parse(body: Buffer): Promise<BaseSnapshot | 'damaged'> {
  const entries = new Map<string, BaseEntry>();
  const [magic, first] = linesOf(body, 0, 2);
  if (magic?.text !== MAGIC || !first) return 'damaged';
  for (let at = first.end; at < body.length;) {
    const lines = linesOf(body, at, SLICE);
    for (const { text, end } of lines) {
      const gap = text.indexOf(' ', 41);
      entries.set(text.slice(gap + 1), { hash: text.slice(0, 40), size: Number(text.slice(41, gap)) });
      at = end;
    }
    await turn();
  }
  const header = JSON.parse(first.text) as { target: string; generation: number; root?: string };
  return { target: header.target, generation: header.generation, root: header.root, entries };
}

function linesOf(body: Buffer, from: number, count: number): { readonly text: string; readonly end: number }[] {
  const lines = [];
  for (let at = from; at < body.length && lines.length < count;) {
    const newline = body.indexOf(0x0a, at);
    const end = newline === -1 ? body.length : newline;
    lines.push({ text: body.toString('utf8', at, end), end: end + 1 });
    at = end + 1;
  }
  return lines;
}
