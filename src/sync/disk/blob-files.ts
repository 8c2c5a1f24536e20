import { hash as hashOf } from 'node:crypto';
import { constants } from 'node:fs';
import path from 'node:path';
import type { Hash } from '#sync/core/hash.ts';
import type { BlobStore } from '#sync/core/ports.ts';
import type { Disk } from './disk.ts';

const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
const KEEP_BYTES = 256 * 1024 * 1024;
/**
 * Versions younger than this are never pruned: a read of a large branch may exceed the limit, and its versions are
 * still needed.
 */
const YOUNG_MS = 15 * 60 * 1000;
/** The number of bytes written between two checks of the limit. */
const PRUNE_BYTES = 64 * 1024 * 1024;
const NOT_TEXT = 'not-text.json';
/** The maximum number of hashes of non-text versions that are remembered. */
const NOT_TEXT_MAX = 10_000;

/** Versions by hash. A damaged one counts as missing, so nothing here is flushed to disk. */
export class BlobFiles implements BlobStore {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #made = new Set<string>();
  #notText: Set<Hash> | undefined;
  #written = 0;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  async get(hash: Hash): Promise<Uint8Array | undefined> {
    const file = this.#at(hash);
    const bytes = file && (await this.#disk.calls.readFile(file).catch(() => undefined));
    return bytes && hashOf('sha1', bytes) === hash ? bytes : undefined;
  }

  async put(hash: Hash, bytes: Uint8Array): Promise<void> {
    const file = this.#at(hash);
    if (!file) return;
    const folder = path.dirname(file);
    try {
      if (!this.#made.has(folder)) {
        await this.#disk.calls.makePrivateFolder(folder);
        this.#made.add(folder);
      }
      // A half-written version does not match its hash, so it needs neither a rename nor a flush to disk.
      await this.#write(file, bytes);
    } catch {
      // Without the version, a conflict is shown two-way instead of three-way.
      this.#made.delete(folder);
      return;
    }
    this.#written += bytes.length;
    if (this.#written > PRUNE_BYTES) await this.prune();
  }

  async notText(): Promise<ReadonlySet<Hash>> {
    this.#notText ??= new Set(await readHashes(this.#disk, path.join(this.#folder, NOT_TEXT)));
    return this.#notText;
  }

  async noteNotText(hashes: readonly Hash[]): Promise<void> {
    const all = new Set([...(await this.notText()), ...hashes]);
    this.#notText = all;
    const text = JSON.stringify([...all].slice(-NOT_TEXT_MAX));
    try {
      await this.#disk.calls.makePrivateFolder(this.#folder);
      await this.#write(path.join(this.#folder, NOT_TEXT), Buffer.from(text));
    } catch {
      // The next window will find this out again.
    }
  }

  /** Removes the versions written longest ago, beyond 256 MB. */
  async prune(now = Date.now()): Promise<void> {
    this.#written = 0;
    const files: { file: string; time: number; size: number }[] = [];
    for (const folder of await this.#disk.calls.names(this.#folder).catch(() => [])) {
      for (const name of await this.#disk.calls.names(path.join(this.#folder, folder)).catch(() => [])) {
        const file = path.join(this.#folder, folder, name);
        const known = await this.#disk.calls.stat(file).catch(() => undefined);
        if (known) files.push({ file, time: known.mtimeMs, size: known.size });
      }
    }
    files.sort((a, b) => b.time - a.time);
    let bytes = 0;
    for (const { file, size, time } of files) {
      bytes += size;
      if (bytes > KEEP_BYTES && now - time > YOUNG_MS) await this.#disk.calls.remove(file);
    }
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const handle = await this.#disk.calls.open(file, WRITE, 0o600);
    try {
      await handle.appendFile(bytes);
    } finally {
      await handle.close();
    }
  }

  #at(hash: Hash): string | undefined {
    return /^[0-9a-f]{40}$/.test(hash) ? [this.#folder, hash.slice(0, 2), hash.slice(2)].join(path.sep) : undefined;
  }
}

/** Reads the hashes in a file; none where it is missing or damaged. */
async function readHashes(disk: Disk, file: string): Promise<readonly Hash[]> {
  try {
    const hashes: unknown = JSON.parse((await disk.calls.readFile(file)).toString('utf8'));
    return Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === 'string') : [];
  } catch {
    return [];
  }
}
