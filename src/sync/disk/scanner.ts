import { Worker } from 'node:worker_threads';
import type { BaseEntry } from '#sync/core/base.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { LocalFile, LocalListing, ScanRequest } from '#sync/core/ports.ts';
import { abortReason, CancelledError, Sequencer } from '#base/async.ts';
import type { FoundMessage, ScanDoneMessage, ScanRequestMessage, ThreadRequest, WorkerMessage } from './serve-scans.ts';

/** What the main thread needs of the thread that scans: a `Worker` has it. */
export interface ScanThread {
  readonly postMessage: (request: ThreadRequest) => void;
  readonly on: ScanEvents;
  readonly off: ScanEvents;
  readonly ref: () => void;
  readonly unref: () => void;
  readonly terminate: () => Promise<unknown>;
}

interface ScanEvents {
  (event: 'message', listener: (message: WorkerMessage) => void): unknown;
  (event: 'error', listener: (error: Error) => void): unknown;
  (event: 'exit', listener: () => void): unknown;
}

/**
 * The program of the worker that scans: its file (`dist/hash-worker.js` in the extension, `src/sync/disk/hash-worker.ts` when
 * running from source), or what starts its thread for the table in a file.
 */
export type ScanProgram = string | URL | ((tableFile: string) => ScanThread);

export interface ScannerOptions {
  readonly root: string;
  readonly prefix: string;
  /** The folder of the project, see `ScanJob`. */
  readonly project?: string | undefined;
  readonly worker: ScanProgram;
  /** The file that stores the table of known files. */
  readonly tableFile: string;
}

/** Scans a folder and returns its listing. */
export interface FolderScanner {
  scan(request: ScanRequest): Promise<ScanResult>;
  /** Reports that the engine wrote a file in the folder. */
  wrote(): void;
  dispose(): void;
}

export interface ScanResult extends Omit<LocalListing, 'leftovers'> {
  /** Names on the disk that are not in NFC. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, FollowedLink>;
  /** Absolute paths of our temporary and set-aside files. */
  readonly leftovers: readonly string[];
  readonly hashed: number;
  readonly hashedBytes: number;
}

/** A pull of fewer files needs little memory. */
const MANY_WRITTEN = 500;

/**
 * The main thread's side of the scan worker. Only what changed since the last scan is transferred, in small messages,
 * so a scan without changes costs this thread next to nothing. The next scan updates the `files` of a listing in place.
 */
export class Scanner implements FolderScanner {
  readonly #options: ScannerOptions;
  readonly #files = new Map<string, LocalFile>();
  // A comparison whose remote half failed leaves its scan running. The next scan waits for it, so that the worker
  // handles one at a time.
  readonly #turn = new Sequencer();
  #worker: ScanThread | undefined;
  #disposed = false;
  #next = 0;
  #fresh = true;
  #isScanning = false;
  /** The number of files written since the last scan. */
  #written = 0;
  /** The write of the table of known files that is running, if any. The thread is not ended, and keeps the process alive, until it is over. */
  #saving: Promise<void> = Promise.resolve();

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  /**
   * Walks the folder; rejects when the signal is aborted before the walk starts, when the scanner is disposed, or when
   * the walk fails.
   */
  scan(request: ScanRequest): Promise<ScanResult> {
    return this.#turn.queue(() => this.#scan(request));
  }

  /**
   * Ends the worker once a pull has written more files than it knows: its knowledge is then useless, and the pull needs
   * its ten megabytes. The next scan starts another worker.
   */
  wrote(): void {
    this.#written += 1;
    if (this.#isScanning || this.#written <= Math.max(MANY_WRITTEN, this.#files.size)) return;
    this.#fresh = true;
    this.#end();
  }

  dispose(): void {
    this.#disposed = true;
    this.#end();
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void this.#saving.then(async () => worker?.terminate()).catch(() => undefined);
  }

  async #scan(request: ScanRequest): Promise<ScanResult> {
    await this.#saving;
    if (this.#disposed) throw new CancelledError('The folder is no longer scanned.');
    if (request.signal?.aborted === true) throw abortReason(request.signal);
    const { root, prefix, project } = this.#options;
    const { rules, ignoreLines, ignoreFiles, ignoreNames, verify, maxFileSize } = request;
    if (this.#fresh) this.#files.clear();
    const worker = this.#start();
    const message: ScanRequestMessage = {
      type: 'scan',
      id: ++this.#next,
      job: { root, prefix, project, rules, ignoreLines, ignoreFiles, ignoreNames, verify, maxFileSize },
      fresh: this.#fresh,
    };
    this.#fresh = true;
    this.#written = 0;
    this.#isScanning = true;
    const { summary, gone } = await this.#ask(worker, message, request.known).finally(() => {
      this.#isScanning = false;
    });
    this.#fresh = false;
    if (summary.hashed > 0 || gone.length > 0) this.#saving = saveIn(worker);
    return {
      files: this.#files,
      frozen: new Map(summary.frozen),
      aliases: new Map(summary.aliases),
      links: new Map(summary.links),
      complete: summary.complete,
      root: summary.root,
      ignoreFiles: summary.ignoreFiles,
      leftovers: summary.leftovers,
      hashed: summary.hashed,
      hashedBytes: summary.hashedBytes,
    };
  }

  #start(): ScanThread {
    if (this.#worker) return this.#worker;
    const worker = startThread(this.#options);
    // An idle worker must not keep the process alive.
    worker.unref();
    worker.on('exit', () => {
      // A worker that was ended may exit after its successor started.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#fresh = true;
    });
    this.#worker = worker;
    return worker;
  }

  #ask(
    worker: ScanThread,
    request: ScanRequestMessage,
    known: ReadonlyMap<string, BaseEntry> | undefined,
  ): Promise<ScanDoneMessage> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: WorkerMessage): void => {
        if (message.type === 'saved' || message.id !== request.id) return;
        if (message.type === 'found') this.#take(message, known);
        else if (message.type === 'failed')
          end(() => reject(new Error(`The folder could not be scanned: ${message.message}`)));
        else {
          for (const path of message.gone) this.#files.delete(path);
          end(() => resolve(message));
        }
      };
      const onError = (error: Error): void => end(() => reject(error));
      const onExit = (): void => end(() => reject(new Error('The scan was stopped.')));
      const end = (finish: () => void): void => {
        worker.off('message', onMessage);
        worker.off('error', onError);
        worker.off('exit', onExit);
        worker.unref();
        finish();
      };
      worker.on('message', onMessage);
      worker.on('error', onError);
      worker.on('exit', onExit);
      worker.ref();
      worker.postMessage(request);
    });
  }

  #take({ paths, hashes, sizes, torn }: FoundMessage, known: ReadonlyMap<string, BaseEntry> | undefined): void {
    for (const [at, path] of paths.entries()) {
      const file = { hash: hashes[at] ?? '', size: sizes[at] ?? 0 };
      const entry = known?.get(path);
      // Share the agreed entries: a hundred thousand paths and hashes are tens of megabytes.
      if (entry?.hash === file.hash && entry.size === file.size) this.#files.set(entry.path, entry);
      else this.#files.set(path, file);
    }
    for (const path of torn) {
      const file = this.#files.get(path);
      if (file) this.#files.set(path, { ...file, torn: true });
    }
  }
}

/**
 * Has a thread write the table of known files, and keeps the process alive meanwhile. Resolves when the write is over, also where
 * the thread ended before. How long that takes depends on the disk only: a limit would leave the unfinished file behind.
 */
function saveIn(worker: ScanThread): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = ({ type }: WorkerMessage): void => {
      if (type === 'saved') end();
    };
    const end = (): void => {
      worker.off('message', onMessage);
      worker.off('exit', end);
      worker.unref();
      resolve();
    };
    worker.on('message', onMessage);
    worker.on('exit', end);
    worker.ref();
    worker.postMessage({ type: 'save' });
  });
}

function startThread({ worker, tableFile }: ScannerOptions): ScanThread {
  if (typeof worker === 'function') return worker(tableFile);
  return new Worker(worker, {
    workerData: { tableFile },
    // Stats are short-lived garbage by the hundred thousand: collected in small steps, they need little memory.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
}
