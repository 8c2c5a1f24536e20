import type { MessagePort } from 'node:worker_threads';
import { scanFolder } from './scan.ts';
import type { ScanJob, ScanSummary } from './scan-job.ts';
import { loadTable, saveTable } from './stat-file.ts';

/** A request to scan a folder. */
export interface ScanRequestMessage {
  readonly type: 'scan';
  readonly id: number;
  readonly job: ScanJob;
  /** The listener starts with an empty list, so every file must be reported. */
  readonly fresh: boolean;
}

/** A request to write what the scans found. Its sender keeps the process alive until the answer. */
export interface SaveRequestMessage {
  readonly type: 'save';
}

export type ThreadRequest = ScanRequestMessage | SaveRequestMessage;

/** Some of the files with a new hash, in columns: with a few thousand per message, the main thread stays responsive. */
export interface FoundMessage {
  readonly type: 'found';
  readonly id: number;
  readonly paths: readonly string[];
  readonly hashes: readonly string[];
  readonly sizes: readonly number[];
  readonly torn: readonly string[];
}

export interface ScanDoneMessage {
  readonly type: 'done';
  readonly id: number;
  readonly gone: readonly string[];
  readonly summary: ScanSummary;
}

export interface ScanFailedMessage {
  readonly type: 'failed';
  readonly id: number;
  readonly message: string;
}

/** The answer to a request to save, also where the disk refused. */
export interface SavedMessage {
  readonly type: 'saved';
}

export type WorkerMessage = FoundMessage | ScanDoneMessage | ScanFailedMessage | SavedMessage;

const MESSAGE_FILES = 2000;

/**
 * Answers requests to scan a folder for as long as the port is open. It walks, stats and hashes with synchronous calls, which is
 * several times faster than promises, so the port belongs to another thread. What is known of files is read from `tableFile`, and
 * stored there on request: a thread that wrote when it likes would be ended by its process in the middle of a write.
 */
export function serveScans(port: MessagePort, tableFile: string): void {
  const table = loadTable(tableFile);
  let round = 0;
  port.on('message', (request: ThreadRequest) => {
    if (request.type === 'save') {
      saveQuietly(tableFile, table);
      port.postMessage({ type: 'saved' } satisfies SavedMessage);
      return;
    }
    const { id, job, fresh } = request;
    round += 1;
    if (fresh) table.untell();
    try {
      const summary = scanAndReport(port, id, job, table, round);
      const gone = table.sweep(round);
      port.postMessage({ type: 'done', id, gone, summary } satisfies ScanDoneMessage);
    } catch (error) {
      // The listener may have missed something: report every file the next time.
      table.untell();
      port.postMessage({ type: 'failed', id, message: String(error) } satisfies ScanFailedMessage);
    }
  });
}

function scanAndReport(
  port: MessagePort,
  id: number,
  job: ScanJob,
  table: ReturnType<typeof loadTable>,
  round: number,
): ScanSummary {
  let paths: string[] = [];
  let hashes: string[] = [];
  let sizes: number[] = [];
  let torn: string[] = [];
  const flush = (): void => {
    if (paths.length === 0) return;
    port.postMessage({ type: 'found', id, paths, hashes, sizes, torn } satisfies FoundMessage);
    paths = [];
    hashes = [];
    sizes = [];
    torn = [];
  };
  const summary = scanFolder(job, {
    table,
    round,
    found: (file) => {
      paths.push(file.path);
      hashes.push(file.hash);
      sizes.push(file.size);
      if (file.torn) torn.push(file.path);
      if (paths.length >= MESSAGE_FILES) flush();
    },
  });
  flush();
  return summary;
}

/** Saves the table, which only saves time: a full or read-only disk must not stop a scan. */
function saveQuietly(file: string, table: ReturnType<typeof loadTable>): void {
  try {
    saveTable(file, table);
  } catch {
    // The next scan hashes more files; nothing else is lost.
  }
}
