import { hash as hashOf } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Hash } from '#sync/hash.ts';
import type { BlobStore } from '#sync/ports.ts';

const KEEP_BYTES = 256 * 1024 * 1024;
/** A read of a large branch may go beyond the limit: what it stored is needed before it is old. */
const YOUNG_MS = 15 * 60 * 1000;
/** Bytes written between two looks at what is too much. */
const PRUNE_BYTES = 64 * 1024 * 1024;
const NOT_TEXT = 'not-text.json';
/** Hashes of versions that are not text which are remembered. */
const NOT_TEXT_MAX = 10_000;

/** Versions by hash. A damaged one is as good as none, so nothing here waits for the disk. */
export class BlobFiles implements BlobStore {
  readonly #folder: string;
  readonly #made = new Set<string>();
  #notText: Set<Hash> | undefined;
  #written = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(hash: Hash): Promise<Uint8Array | undefined> {
    const file = this.#at(hash);
    const bytes = file && (await readFile(file).catch(() => undefined));
    return bytes && hashOf('sha1', bytes) === hash ? bytes : undefined;
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    const file = this.#at(hash);
    if (!file) return;
    const folder = path.dirname(file);
    try {
      if (!this.#made.has(folder)) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        this.#made.add(folder);
      }
      // Half a version does not fit its hash, so it needs no rename and no waiting for the disk.
      await writeFile(file, bytes, { mode: 0o600 });
    } catch {
      // Without the version a conflict is compared in two ways instead of three.
      this.#made.delete(folder);
      return;
    }
    this.#written += bytes.length;
    if (this.#written > PRUNE_BYTES) await this.prune();
  }

  async notText(): Promise<ReadonlySet<Hash>> {
    this.#notText ??= new Set(await readHashes(path.join(this.#folder, NOT_TEXT)));
    return this.#notText;
  }

  async noteNotText(hashes: readonly Hash[]): Promise<void> {
    const all = new Set([...(await this.notText()), ...hashes]);
    this.#notText = all;
    const text = JSON.stringify([...all].slice(-NOT_TEXT_MAX));
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(path.join(this.#folder, NOT_TEXT), text, { mode: 0o600 });
    } catch {
      // The next window finds it out again.
    }
  }

  /** Drops the versions written longest ago, beyond 256 MB. */
  async prune(now = Date.now()): Promise<void> {
    this.#written = 0;
    const files: { file: string; time: number; size: number }[] = [];
    for (const folder of await readdir(this.#folder).catch(() => [])) {
      for (const name of await readdir(path.join(this.#folder, folder)).catch(() => [])) {
        const file = path.join(this.#folder, folder, name);
        const known = await stat(file).catch(() => undefined);
        if (known) files.push({ file, time: known.mtimeMs, size: known.size });
      }
    }
    files.sort((a, b) => b.time - a.time);
    let bytes = 0;
    for (const { file, size, time } of files) {
      bytes += size;
      if (bytes > KEEP_BYTES && now - time > YOUNG_MS) await rm(file, { force: true });
    }
  }

  #at(hash: Hash): string | undefined {
    return /^[0-9a-f]{40}$/.test(hash) ? path.join(this.#folder, hash.slice(0, 2), hash.slice(2)) : undefined;
  }
}

/** The hashes in a file; none where it is missing or damaged. */
async function readHashes(file: string): Promise<readonly Hash[]> {
  try {
    const hashes: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : [];
  } catch {
    return [];
  }
}
