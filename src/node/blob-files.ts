import { hash as hashOf } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Hash } from '#sync/hash.ts';
import type { BlobStore } from '#sync/ports.ts';

/** Larger versions, and such that are no text, are not merged line by line: they are not kept. */
const MAX_BLOB = 1024 * 1024;
const KEEP_BYTES = 256 * 1024 * 1024;

/** Versions by hash. A damaged one is as good as none, so nothing here waits for the disk. */
export class BlobFiles implements BlobStore {
  readonly #folder: string;
  readonly #made = new Set<string>();

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
    if (!file || bytes.length > MAX_BLOB || bytes.includes(0)) return;
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
    }
  }

  /** Drops the versions written longest ago, beyond 256 MB. */
  async prune(): Promise<void> {
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
    for (const { file, size } of files) {
      bytes += size;
      if (bytes > KEEP_BYTES) await rm(file, { force: true });
    }
  }

  #at(hash: Hash): string | undefined {
    return /^[0-9a-f]{40}$/.test(hash) ? path.join(this.#folder, hash.slice(0, 2), hash.slice(2)) : undefined;
  }
}
