import type { Client } from '#api/client.ts';
import {
  deleteDataModelFiles,
  type FileNode,
  getFileHashes,
  listDataModelFiles,
  renameDataModelFiles,
  writeDataModelFiles,
} from '#api/data-model.ts';
import { isPlatformError } from '#api/errors.ts';
import { finishUpload, startUpload, uploadFile } from '#api/upload.ts';
import { isInside } from '#base/path.ts';
import { checkName } from './names.ts';
import type { FrozenReason } from './plan.ts';
import type {
  Hash,
  RemoteFile,
  RemoteListing,
  RemoteReader,
  RemoteWriter,
  UploadTransaction,
  WriteReply,
} from './ports.ts';
import type { DeployBranch, DevBranch } from './target.ts';

export interface PlatformReaderOptions {
  readonly client: Client;
  readonly deployment: string | number;
  readonly branch: string;
  /** The platform's folder that is synced, `model` by default; empty: everything. */
  readonly folder?: string | undefined;
}

/** Any branch of a deployment, to read (management 4.11, payloads Build API). Throws `PlatformError`. */
export function createPlatformReader(options: PlatformReaderOptions): RemoteReader {
  const { client, deployment, branch, folder = 'model' } = options;
  const params = { deploymentId: deployment };
  return {
    list: async (signal) => {
      const answer = await client.call(getFileHashes, { params, query: { branchName: branch } }, { signal });
      return readListing(answer, folder);
    },
    read: async (paths, signal) => {
      const query = { branchName: branch, withContent: true };
      const tree = await client.call(listDataModelFiles, { params, query }, { signal });
      const contents = new Map<string, Uint8Array>();
      collect(tree, new Set(paths), contents);
      return contents;
    },
  };
}

/** A personal dev branch, to read and write. */
export function createPlatformWriter(options: PlatformReaderOptions & { readonly branch: DevBranch }): RemoteWriter {
  return new PlatformWriter(options, options.branch, false);
}

/** The deploy branch of a `cli` deployment: every push is one upload transaction, that is one deploy. */
export function createPlatformDeployer(
  options: PlatformReaderOptions & { readonly branch: DeployBranch },
): RemoteWriter {
  return new PlatformWriter(options, options.branch, true);
}

class PlatformWriter implements RemoteWriter {
  readonly branch: DevBranch | DeployBranch;
  readonly transactionOnly: boolean;
  readonly list: RemoteReader['list'];
  readonly read: RemoteReader['read'];
  readonly #client: Client;
  readonly #params: { readonly deploymentId: string | number };
  #honours = false;

  constructor(options: PlatformReaderOptions, branch: DevBranch | DeployBranch, transactionOnly: boolean) {
    const reader = createPlatformReader(options);
    this.list = (signal) => reader.list(signal);
    this.read = (paths, signal) => reader.read(paths, signal);
    this.branch = branch;
    this.transactionOnly = transactionOnly;
    this.#client = options.client;
    this.#params = { deploymentId: options.deployment };
  }

  get honoursPreconditions(): boolean {
    return this.#honours;
  }

  put(files: Parameters<RemoteWriter['put']>[0], signal?: AbortSignal): Promise<WriteReply> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return this.#write(() => {
      const body = {
        branchName: this.branch,
        files: files.map(({ path, bytes }) => ({ path, content: decoder.decode(bytes) })),
      };
      const headers = preconditions(files.map(({ expected }) => expected));
      return this.#client.open(writeDataModelFiles, { params: this.#params, body }, { signal, headers });
    });
  }

  remove(files: Parameters<RemoteWriter['remove']>[0], signal?: AbortSignal): Promise<WriteReply> {
    return this.#write(() => {
      const body = { branchName: this.branch, files: files.map(({ path }) => ({ path })) };
      const headers = preconditions(files.map(({ expected }) => expected));
      return this.#client.open(deleteDataModelFiles, { params: this.#params, body }, { signal, headers });
    }, true);
  }

  rename(files: Parameters<RemoteWriter['rename']>[0], signal?: AbortSignal): Promise<WriteReply> {
    return this.#write(() => {
      const body = { branchName: this.branch, files: files.map(({ from, to }) => ({ path: from, newPath: to })) };
      const headers = preconditions(files.map(({ expected }) => expected));
      return this.#client.open(renameDataModelFiles, { params: this.#params, body }, { signal, headers });
    }, true);
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
    const body = { branchName: this.branch };
    const answer = await this.#client.call(startUpload, { params: this.#params, body }, { signal });
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
        // The DOM types want to know that the memory is not shared; it never is here.
        const body = { transaction, fileName: path, file: bytes as Uint8Array<ArrayBuffer> };
        await this.#client.call(uploadFile, { params, body }, { signal });
      },
      finish: async (manifest, autoRemove, signal) => {
        const files: Record<string, { hash: Hash }> = {};
        for (const [path, hash] of manifest) files[path] = { hash };
        const body = { transaction, files, autoRemoveFiles: autoRemove, branchName: this.branch };
        return this.#write(() => this.#client.open(finishUpload, { params, body }, { signal }));
      },
    };
  }

  /** Sends a write; a refusal because something changed is an answer, not an error. */
  async #write(send: () => Promise<Response>, needsFiles = false): Promise<WriteReply> {
    try {
      const response = await send();
      if (response.headers.has('etag')) this.#honours = true;
      await response.body?.cancel();
      return { kind: 'done' };
    } catch (error) {
      if (isPlatformError(error) && error.status === 412) this.#honours = true;
      if (isPlatformError(error, 'conflict') && error.reason === undefined) return { kind: 'changed' };
      // What is to be deleted or renamed is gone, perhaps by an attempt whose reply was lost: a look will tell.
      if (isPlatformError(error, 'notFound') && needsFiles) return { kind: 'changed' };
      throw error;
    }
  }
}

/**
 * `If-Match` with the expected hash of each file of the request, in the request's order (`"-"`: it must not be there), or
 * `If-None-Match: *` when none may be there. A server that does not know them ignores them.
 */
function preconditions(expected: readonly (Hash | undefined)[]): Record<string, string> {
  if (expected.every((hash) => hash === undefined)) return { 'If-None-Match': '*' };
  return { 'If-Match': expected.map((hash) => `"${hash ?? '-'}"`).join(', ') };
}

interface HashesAnswer {
  readonly files: Readonly<Record<string, { readonly hash: string }>>;
  readonly [key: string]: unknown;
}

/** Sorts a listing into what is ours, what must not reach a disk, and what else the branch holds. */
export function readListing(answer: HashesAnswer, folder: string): RemoteListing {
  const files = new Map<string, RemoteFile>();
  const frozen = new Map<string, FrozenReason>();
  const others = new Map<string, Hash>();
  let complete = !saysMore(answer);
  // oxlint-disable-next-line guard-for-in -- parsed JSON has no inherited names, and an array of 100,000 pairs takes time
  for (const raw in answer.files) {
    const hash = answer.files[raw]?.hash ?? '';
    const path = raw.startsWith('/') ? raw.slice(1) : raw;
    if (!HASH.test(hash)) complete = false;
    else if (!isInside(path, folder)) others.set(raw, hash);
    else {
      const count = files.size;
      let reason = path === folder ? 'invalidName' : checkName(path);
      if (reason === undefined) files.set(path, { hash });
      // One path under two names, with and without a slash: neither can be trusted.
      if (reason === undefined && files.size === count) reason = 'invalidName';
      if (reason === undefined && !frozen.has(path)) continue;
      files.delete(path);
      frozen.set(path, reason ?? 'invalidName');
      others.set(raw, hash);
    }
  }
  return { files, frozen, others, complete };
}

const HASH = /^[0-9a-f]{40}$/;

/** Whether the server says in one of the usual ways that the list goes on. */
function saysMore(answer: HashesAnswer): boolean {
  const { truncated, hasMore, nextCursor, pageInfo, total } = answer as Readonly<Record<string, unknown>>;
  if (truncated === true || hasMore === true) return true;
  if (typeof nextCursor === 'string' && nextCursor !== '') return true;
  if (typeof pageInfo === 'object' && pageInfo !== null && 'hasNextPage' in pageInfo && pageInfo.hasNextPage === true) {
    return true;
  }
  return typeof total === 'number' && total > Object.keys(answer.files).length;
}

const encoder = new TextEncoder();

function collect(node: FileNode, wanted: ReadonlySet<string>, into: Map<string, Uint8Array>): void {
  for (const child of node.children ?? []) collect(child, wanted, into);
  const path = node.path.startsWith('/') ? node.path.slice(1) : node.path;
  if (node.content !== undefined && wanted.has(path)) into.set(path, encoder.encode(node.content));
}
