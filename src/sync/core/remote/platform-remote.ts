import { type Clock, systemClock } from '#base/clock.ts';
import { decodedText } from '#base/decoded-text.ts';
import { readBytes } from '#api/streams/byte-stream.ts';
import type { Client } from '#api/client/client.ts';
import {
  deleteDataModelFiles,
  getFileHashes,
  renameDataModelFiles,
  writeDataModelFiles,
} from '#api/resources/data-model.ts';
import { fileContents } from '#api/streams/file-contents.ts';
import { finishUpload, startUpload, uploadFile } from '#api/resources/upload.ts';
import type { FileRules } from '#sync/core/selection/file-rules.ts';
import { readListing, readListingText } from './listing.ts';
import { preconditions, sendWrite } from './remote-write.ts';
import { RecentCheck } from './recent-check.ts';
import { readUnlessSame } from './same-bytes.ts';
import { requireStillDeployed, requireStillDev } from './still-dev.ts';
import type { RemoteListing, RemoteReader, RemoteWriter, UploadTransaction, WriteReply } from '#sync/core/ports.ts';
import { type DeployBranch, type DevBranch, devBranch } from '#sync/core/target.ts';

export interface PlatformReaderOptions {
  readonly client: Client;
  readonly deployment: string | number;
  readonly branch: string;
  /** The folder on the platform that is synced, `model` by default; empty: everything. */
  readonly folder?: string | undefined;
  /** Which names the listing accepts; by default those that every disk can store. */
  readonly rules?: FileRules | undefined;
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

/** A checked deploy branch, and whether the user has confirmed an upload to it that has not ended. */
export interface DeployAccess {
  readonly branch: DeployBranch;
  readonly isOpen: boolean;
}

/**
 * Returns the platform's side of a sync: dev branches are writable, a deploy branch (`deploy`) only during a confirmed deploy,
 * others are read-only.
 */
export function createPlatformRemote(
  options: PlatformReaderOptions,
  deploy: DeployAccess | undefined,
): RemoteReader | RemoteWriter {
  if (deploy) return createPlatformDeployer({ ...options, branch: deploy.branch, isOpen: () => deploy.isOpen });
  const branch = devBranch(options.branch);
  return branch.ok ? createPlatformWriter({ ...options, branch: branch.value }) : createPlatformReader(options);
}

/** Creates a reader for any branch of a deployment (docs/platform-api.md#files-of-a-branch). It throws `PlatformError`. */
export function createPlatformReader(options: PlatformReaderOptions): RemoteReader {
  const { client, deployment, branch } = options;
  const target = { deploymentId: deployment, branchName: branch };
  return {
    list: hashLister(options),
    read: (paths, signal) => fileContents(client, target, paths, signal),
  };
}

/** Returns a function that lists a branch. A response that is byte for byte the previous one is neither parsed nor buffered. */
function hashLister({
  client,
  deployment,
  branch,
  folder = 'model',
  rules,
}: PlatformReaderOptions): RemoteReader['list'] {
  const request = { params: { deploymentId: deployment }, query: { branchName: branch } };
  let last: { readonly bytes: Uint8Array; readonly listing: RemoteListing } | undefined;
  let usual = true;
  return async (signal, known) => {
    if (usual) {
      const response = await client.open(getFileHashes, request, { signal });
      const bytes = await readUnlessSame(readBytes(response, getFileHashes, { signal }), last?.bytes);
      if (last && bytes === last.bytes) return last.listing;
      const listing = bytes && (await readListingText(decodedText(bytes), folder, known, rules));
      if (bytes && listing) {
        last = { bytes, listing };
        return listing;
      }
    }
    // Not the usual form: the client's validation reads it, or reports what is wrong with it.
    const listing = readListing(await client.call(getFileHashes, request, { signal }), folder, rules);
    usual = false;
    return listing;
  };
}

/** How long it counts that production is not built from a dev branch: for a step of the user, and for a file that was just saved. */
const CHECKED_MS = 5000;
const CHECKED_FOR_SAVES_MS = 120_000;

/**
 * Creates a writer for a personal dev branch. Its name does not show whether production is built from it by now, so every write
 * throws if it is: the branches are read beside the lists of files, and again before a write if that was not a moment ago. A saved
 * file waits for that only if they were not read for minutes (docs/sync.md#effect-target).
 */
export function createPlatformWriter(options: PlatformReaderOptions & { readonly branch: DevBranch }): RemoteWriter {
  const { client, clock = systemClock } = options;
  const check = new RecentCheck(async (signal) => requireStillDev(client, options, signal), clock);
  return new PlatformWriter(options, options.branch, {
    transactionOnly: false,
    requireOpen: () => {},
    requireTarget: async (signal, why) => check.require(why === 'save' ? CHECKED_FOR_SAVES_MS : CHECKED_MS, signal),
    whileListing: async (signal) => check.renew(CHECKED_MS, signal),
  });
}

/** What must hold before a write. `requireOpen` and `requireTarget` throw if it does not. */
interface UploadGuards {
  /** For a deploy branch: the user has confirmed an upload and it has not ended. */
  readonly requireOpen: () => void;
  /** Production is not built from a dev branch, and still is from a deploy branch. */
  readonly requireTarget: (signal: AbortSignal | undefined, why?: 'save') => Promise<void>;
  /** What runs beside each list of the branch. */
  readonly whileListing?: (signal: AbortSignal | undefined) => Promise<void>;
}

interface WriterKind extends UploadGuards {
  readonly transactionOnly: boolean;
}

/**
 * Creates a writer for the deploy branch of a `cli` deployment: every push is one upload transaction, and so one
 * deploy. Uploads are refused unless `isOpen` returns true, that is while the user has confirmed one
 * (docs/security.md#the-rules).
 */
export function createPlatformDeployer(
  options: PlatformReaderOptions & { readonly branch: DeployBranch; readonly isOpen: () => boolean },
): RemoteWriter {
  const { branch, isOpen } = options;
  return new PlatformWriter({ ...options, rules: 'deploy' }, branch, {
    transactionOnly: true,
    requireOpen: () => {
      if (!isOpen()) throw new Error(`This upload to ${branch} was not confirmed.`);
    },
    requireTarget: (signal) => requireStillDeployed(options.client, options, signal),
  });
}

class PlatformWriter implements RemoteWriter {
  readonly branch: DevBranch | DeployBranch;
  readonly transactionOnly: boolean;
  readonly list: RemoteReader['list'];
  readonly read: RemoteReader['read'];
  readonly #client: Client;
  readonly #params: { readonly deploymentId: string | number };
  readonly #guards: UploadGuards;
  #honours = false;

  constructor(options: PlatformReaderOptions, branch: DevBranch | DeployBranch, kind: WriterKind) {
    const reader = createPlatformReader(options);
    this.list = async (signal, known) => {
      const [listing] = await Promise.all([reader.list(signal, known), kind.whileListing?.(signal)]);
      return listing;
    };
    this.read = (paths, signal) => reader.read(paths, signal);
    this.branch = branch;
    this.transactionOnly = kind.transactionOnly;
    this.#guards = kind;
    this.#client = options.client;
    this.#params = { deploymentId: options.deployment };
  }

  get honoursPreconditions(): boolean {
    return this.#honours;
  }

  put(...[files, signal, why]: Parameters<RemoteWriter['put']>): Promise<WriteReply> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return this.#writeFiles(async () => {
      await this.#guards.requireTarget(signal, why);
      const body = {
        branchName: this.branch,
        files: files.map(({ path, bytes }) => ({ path, content: decoder.decode(bytes) })),
      };
      const headers = preconditions(files.map(({ expected }) => expected));
      return this.#client.open(writeDataModelFiles, { params: this.#params, body }, { signal, headers, once: true });
    });
  }

  remove(files: Parameters<RemoteWriter['remove']>[0], signal?: AbortSignal): Promise<WriteReply> {
    return this.#writeFiles(async () => {
      await this.#guards.requireTarget(signal);
      const body = { branchName: this.branch, files: files.map(({ path }) => ({ path })) };
      const headers = preconditions(files.map(({ expected }) => expected));
      return this.#client.open(deleteDataModelFiles, { params: this.#params, body }, { signal, headers, once: true });
    });
  }

  rename(files: Parameters<RemoteWriter['rename']>[0], signal?: AbortSignal): Promise<WriteReply> {
    return this.#writeFiles(async () => {
      await this.#guards.requireTarget(signal);
      const body = { branchName: this.branch, files: files.map(({ from, to }) => ({ path: from, newPath: to })) };
      const headers = preconditions(files.map(({ expected }) => expected));
      return this.#client.open(renameDataModelFiles, { params: this.#params, body }, { signal, headers, once: true });
    });
  }

  canPut(bytes: Uint8Array): boolean {
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  }

  async startUpload(signal?: AbortSignal): Promise<UploadTransaction> {
    this.#guards.requireOpen();
    const body = { branchName: this.branch };
    const started = this.#client.call(startUpload, { params: this.#params, body }, { signal });
    // In parallel: a transaction that was only started changes nothing.
    const [answer] = await Promise.all([started, this.#guards.requireTarget(signal)]);
    return this.#transaction(answer.transaction);
  }

  resumeUpload(id: string): UploadTransaction {
    return this.#transaction(JSON.parse(id) as unknown);
  }

  #transaction(transaction: unknown): UploadTransaction {
    const params = this.#params;
    return {
      id: JSON.stringify(transaction),
      upload: async (path, bytes, signal) => {
        // The DOM types require memory that is not shared; it never is here.
        const body = { transaction, fileName: path, file: bytes as Uint8Array<ArrayBuffer> };
        await this.#client.call(uploadFile, { params, body }, { signal });
      },
      // Production may have moved while the files were sent. For a dev branch, `finish` finds out: its check runs beside the list before it.
      requireTarget: this.transactionOnly ? (signal) => this.#guards.requireTarget(signal) : undefined,
      finish: async (manifest, autoRemove, signal, commitMessage) => {
        if (!this.transactionOnly) await this.#guards.requireTarget(signal);
        this.#guards.requireOpen();
        // Not by assignment: a file named `__proto__` would be missing, and so be deleted on the platform.
        const files = Object.fromEntries(Array.from(manifest, ([path, hash]) => [path, { hash }]));
        const body = { transaction, files, autoRemoveFiles: autoRemove, commitMessage, branchName: this.branch };
        return this.#write(() => this.#client.open(finishUpload, { params, body }, { signal, once: true }));
      },
    };
  }

  /** Writes single files, which a deploy branch never takes. */
  async #writeFiles(send: () => Promise<Response>): Promise<WriteReply> {
    if (this.transactionOnly) throw new Error(`${this.branch} takes only whole uploads.`);
    return this.#write(send);
  }

  async #write(send: () => Promise<Response>): Promise<WriteReply> {
    return sendWrite(send, () => {
      this.#honours = true;
    });
  }
}
