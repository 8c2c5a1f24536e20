import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { scanFolder } from '#sync/disk/scan.ts';
import type { FolderScanner, ScanResult } from '#sync/disk/scanner.ts';
import { StatTable } from '#sync/disk/stat-table.ts';
import type { LocalFile, ScanRequest } from '#sync/core/ports.ts';

/**
 * Scans a folder in this thread, over any calls of a disk. It starts with the known files of `table`, by default none, and does
 * not share what it learns.
 */
export class InlineScanner implements FolderScanner {
  readonly #root: string;
  readonly #prefix: string;
  readonly #calls: DiskCalls;
  readonly #table: StatTable;
  readonly #files = new Map<string, LocalFile>();
  #round = 0;

  constructor(root: string, prefix: string, calls: DiskCalls, table = new StatTable()) {
    this.#root = root;
    this.#prefix = prefix;
    this.#calls = calls;
    this.#table = table;
  }

  async scan({ rules, ignoreLines, ignoreFiles, ignoreNames, verify, maxFileSize }: ScanRequest): Promise<ScanResult> {
    this.#round += 1;
    this.#table.untell();
    this.#files.clear();
    const lines = { ignoreLines, ignoreFiles, ignoreNames };
    const job = { root: this.#root, prefix: this.#prefix, rules, ...lines, verify, maxFileSize };
    const summary = scanFolder(job, {
      table: this.#table,
      round: this.#round,
      calls: this.#calls,
      found: ({ path, hash, size, torn }) => this.#files.set(path, torn ? { hash, size, torn } : { hash, size }),
    });
    const { frozen, aliases, links } = summary;
    const maps = { frozen: new Map(frozen), aliases: new Map(aliases), links: new Map(links) };
    return { ...summary, files: this.#files, ...maps };
  }

  wrote(): void {
    // There is no worker to end.
  }

  dispose(): void {
    this.#files.clear();
  }
}
