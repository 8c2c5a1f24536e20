import type { Clock } from '#base/clock.ts';
import type { JournalRecord } from './journal.ts';
import type { BaseEntry, BaseSnapshot } from './base.ts';
import type { IgnoreFile, IgnoreFileName } from './ignore.ts';
import type { Hash } from './hash.ts';
import type { HistoryStore } from './history.ts';
import type { FrozenReason } from './plan.ts';
import type { DeployBranch, DevBranch } from './target.ts';

/** What one path is on the user's disk. Paths in every port are the platform's (`model/cubes/orders.yml`), in NFC. */
export type LocalState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly hash: Hash; readonly size: number }
  | { readonly kind: 'frozen'; readonly reason: FrozenReason };

/** A whole local tree; ignored paths are not in it. */
export interface LocalListing {
  readonly files: ReadonlyMap<string, LocalFile>;
  readonly frozen: ReadonlyMap<string, FrozenReason>;
  /** False when a folder could not be read to its end: nothing may be deleted on its account. */
  readonly complete: boolean;
  /** What the folder is known by, to notice a swapped or re-cloned one; undefined when it is missing. */
  readonly root: string | undefined;
  /** The ignore files that the walk came to. */
  readonly ignoreFiles?: readonly IgnoreFile[] | undefined;
  /** Hidden files that a failed effect left behind: `FileStore.recover` brings their versions back. */
  readonly leftovers?: number | undefined;
}

export interface LocalFile {
  readonly hash: Hash;
  readonly size: number;
  /** Shorter than recorded though its recorded time stamp is the same: a write that a crash tore. */
  readonly torn?: true;
}

export interface ScanRequest {
  /** Which paths to leave out. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
  /** The same rules as text, for a scanner in another thread: lines that start at the linked folder. */
  readonly ignoreLines: readonly string[];
  /** Ignore files above the folder that is scanned, and the names of those to read on the way. */
  readonly ignoreFiles?: readonly IgnoreFile[] | undefined;
  readonly ignoreNames?: readonly IgnoreFileName[] | undefined;
  /** Re-hash everything and trust no recorded time stamp. */
  readonly verify: boolean;
  /** Largest file that is synced, in bytes. */
  readonly maxFileSize: number;
  /** Entries that the listing may hold itself where the disk has just that. */
  readonly known?: ReadonlyMap<string, BaseEntry> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A new file version beside its target, on disk for good but not yet in its place. */
export interface StagedFile {
  readonly path: string;
  readonly hash: Hash;
  /** Name of the temporary file, as the journal records it. */
  readonly temporary: string;
}

/** `changed`: the file was no longer what the plan said; nothing was lost and the path keeps the user's version. */
export type ReplaceResult =
  | { readonly kind: 'done'; readonly backup: string | undefined }
  | { readonly kind: 'changed'; readonly now: LocalState };

/** A file operation that the disk refused, with a message for the user. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  readonly kind: 'full' | 'denied' | 'busy' | 'blocked' | 'other';
  constructor(kind: FileProblem['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Some files of several are not on the disk for good; the others are. */
export class UnkeptFiles extends FileProblem {
  readonly problems: ReadonlyMap<string, FileProblem>;
  constructor(first: FileProblem, problems: ReadonlyMap<string, FileProblem>) {
    super(first.kind, first.message, first.cause);
    this.problems = problems;
  }
}

/** The linked folder; what the disk refuses is a `FileProblem`. Every method that writes re-checks the file right before its effect. */
export interface FileStore {
  /** Identity of the folder, see `LocalListing.root`. */
  identity(): Promise<string | undefined>;
  /** Lists and hashes the whole tree. */
  scan(request: ScanRequest): Promise<LocalListing>;
  /** What one path is now, re-hashed, never from a cache. */
  stateOf(path: string): Promise<LocalState>;
  /** The bytes of one path and their hash, from one stable read; undefined when it is not a readable file. */
  read(path: string): Promise<{ readonly bytes: Uint8Array; readonly hash: Hash } | undefined>;
  /**
   * Ignore files of these names above the scanned folder and, with `paths`, in every folder down to each of them.
   */
  ignoreFiles(names: readonly IgnoreFileName[], paths?: Iterable<string>): Promise<readonly IgnoreFile[]>;
  /** Writes a temporary file beside `path` and makes its bytes durable. */
  stage(path: string, bytes: Uint8Array, hash: Hash): Promise<StagedFile>;
  /** Puts a staged file in its place if the path still is `expected` (undefined = absent); the old version goes to the trash. */
  replace(staged: StagedFile, expected: Hash | undefined, cause: TrashCause): Promise<ReplaceResult>;
  discard(staged: StagedFile): Promise<void>;
  /** Moves a file to the trash if it still is `expected`. */
  remove(path: string, expected: Hash, cause: TrashCause): Promise<ReplaceResult>;
  /** Copies a file to the trash, before something else than sync replaces it; the id of the copy, `undefined` without a file. */
  keepCopy(path: string, cause: TrashCause): Promise<string | undefined>;
  /** Renames a file (also when only the case changes) if it still is `expected` and the new name is free. */
  rename(from: string, to: string, expected: Hash): Promise<ReplaceResult>;
  /**
   * Makes the present bytes and names of these paths survive a power loss. The base may follow only after this. `names`: the
   * bytes already do, because they were staged. Throws {@link UnkeptFiles} where it failed for some files only.
   */
  sync(paths: readonly string[], only?: 'names'): Promise<void>;
  /** Cleans up after a failed effect or an unclean stop: unfinished files go, set-aside versions go back or to the trash. */
  recover(): Promise<void>;
}

export interface RemoteFile {
  readonly hash: Hash;
  /** Size in bytes, where the server reports it. */
  readonly size?: number | undefined;
}

export interface RemoteListing {
  readonly files: ReadonlyMap<string, RemoteFile>;
  /** Names that must not be written to a disk, and why. */
  readonly frozen: ReadonlyMap<string, FrozenReason>;
  /** Every path of the branch that is not in `files` (frozen, or outside the model folder): a full manifest names them too. */
  readonly others: ReadonlyMap<string, Hash>;
  /** False when the answer could not be proven whole: nothing may be deleted on its account. */
  readonly complete: boolean;
}

/** A branch of a deployment, read only. Errors are `PlatformError`. */
export interface RemoteReader {
  /** `known`: entries that the listing may hold itself where the platform has just that. */
  list(signal?: AbortSignal, known?: ReadonlyMap<string, BaseEntry>): Promise<RemoteListing>;
  /**
   * Contents as they arrive, one in memory at a time; ends when all of these paths came. A path that does not exist never
   * arrives, and a file that is not text arrives without bytes or with wrong ones.
   */
  read(paths: ReadonlySet<string>, signal?: AbortSignal): AsyncIterable<RemoteContent>;
}

export interface RemoteContent {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

export interface RemoteWrite {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly hash: Hash;
  /** Hash the platform must still have; undefined = it must not have the path. */
  readonly expected: Hash | undefined;
}

/**
 * `changed`: the platform says that its files are not what was expected (412), and wrote nothing. `refused`: it wrote
 * nothing for a reason of its own. Only the hashes show which of both is true; `error` holds the platform's message.
 */
export type WriteReply =
  | { readonly kind: 'done' }
  | { readonly kind: 'changed'; readonly error?: Error | undefined }
  | { readonly kind: 'refused'; readonly error: Error };

/** A personal dev branch, or the deploy branch of a `cli` deployment: nothing else can be written to. Errors are `PlatformError`. */
export interface RemoteWriter extends RemoteReader {
  readonly branch: DevBranch | DeployBranch;
  /** A deploy branch takes nothing but whole upload transactions, deletions included. */
  readonly transactionOnly: boolean;
  /** Whether the server was seen to honour `If-Match`: only then may a write be sent without listing the branch first. */
  readonly honoursPreconditions: boolean;
  /** Writes many files in one request. */
  put(files: readonly RemoteWrite[], signal?: AbortSignal): Promise<WriteReply>;
  remove(
    files: readonly { readonly path: string; readonly expected: Hash }[],
    signal?: AbortSignal,
  ): Promise<WriteReply>;
  rename(
    files: readonly { readonly from: string; readonly to: string; readonly expected: Hash }[],
    signal?: AbortSignal,
  ): Promise<WriteReply>;
  /** Whether these bytes survive a `put`, which carries text. */
  canPut(bytes: Uint8Array): boolean;
  startUpload(signal?: AbortSignal): Promise<UploadTransaction>;
  /** Continues a transaction that an earlier run noted; the server may have forgotten it. */
  resumeUpload(id: string): UploadTransaction;
}

/** An upload transaction: nothing of it is visible before `finish`. */
export interface UploadTransaction {
  /** Opaque text that the journal keeps. */
  readonly id: string;
  upload(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /**
   * `manifest`: the whole tree after the upload; with `autoRemove` the server deletes what it does not list. With a
   * `message` the server commits the upload under it, on a dev branch too.
   */
  finish(
    manifest: ReadonlyMap<string, Hash>,
    autoRemove: boolean,
    signal?: AbortSignal,
    message?: string,
  ): Promise<WriteReply>;
}

export interface Hasher {
  hash(bytes: Uint8Array): Hash;
}

/** The agreed state of both sides, kept outside the folder. */
export interface BaseStore {
  /**
   * The last snapshot; `damaged` counts as no agreement at all: nothing is deleted or overwritten on its account. Rejects
   * when it cannot be read now, which is not damage.
   */
  load(): Promise<BaseSnapshot | 'damaged' | undefined>;
  /** Replaces the snapshot atomically and durably, and answers its seal. */
  save(snapshot: BaseSnapshot): Promise<string>;
}

/** What a journal was found to hold. */
export interface JournalContent {
  /** What a crash tore off at the end is not among them. */
  readonly records: readonly JournalRecord[];
  /** Something of it was changed or lost; what is unknown. */
  readonly damaged: boolean;
  /** There is none. */
  readonly missing: boolean;
}

/** Append-only notes of what is about to happen and what happened. A journal that cannot be read now rejects. */
export interface JournalStore {
  /** Another text after each start of the machine: a clean stop before it says nothing about a power loss since. */
  readonly boot: string;
  load(): Promise<JournalContent>;
  /** `durable`: the records are on disk for good when this resolves. */
  append(records: readonly JournalRecord[], durable: boolean): Promise<void>;
  /** Starts a new journal with these records, atomically and durably, after a new snapshot holds everything before. */
  reset(records: readonly JournalRecord[]): Promise<void>;
  /** Lets go of the file until the next append. */
  close(): Promise<void>;
}

/** Which branch of the deployment the folder was synced with last (docs/sync.md#switched-branch). */
export interface LastBranch {
  /** What was agreed with another branch than this one, where that was the last; reads, and changes nothing. */
  load(): Promise<AgreedElsewhere | undefined>;
  /** This branch is the last one from now on. Durable when it resolves. */
  take(): Promise<void>;
}

/** The records of another branch of the same deployment. */
export interface AgreedElsewhere {
  readonly branch: string;
  readonly base: Awaited<ReturnType<BaseStore['load']>>;
  readonly journal: JournalContent;
}

/** A save that the platform does not have yet. */
export interface StoredSave {
  readonly path: string;
  /** What was saved; `null`: the path was gone. */
  readonly hash: Hash | null;
  /** Why it waits, in a sentence. */
  readonly reason: string;
}

/** The saves that wait, kept over restarts. Losing them costs an automatic upload, never a version. */
export interface OutboxStore {
  load(): Promise<readonly StoredSave[]>;
  /** Replaces all of them atomically. */
  save(saves: readonly StoredSave[]): Promise<void>;
}

/** Versions by hash, for pulls, merges and diffs; may forget. */
export interface BlobStore {
  get(hash: Hash): Promise<Uint8Array | undefined>;
  put(hash: Hash, bytes: Uint8Array): Promise<void>;
  /** Versions that the platform lists but cannot deliver, because it sends files as text and they are not. */
  notText(): Promise<ReadonlySet<Hash>>;
  noteNotText(hashes: readonly Hash[]): Promise<void>;
}

/** What a user did when sync set a version aside. */
export type TrashCause =
  | 'pull'
  | 'resolve'
  | 'restore'
  | 'discard'
  | 'agentProposal'
  /** Replaced or deleted on the platform: by a push, by choosing the local version of a conflict, by a deploy. */
  | 'push'
  | 'keepMine'
  | 'deploy'
  /** Replaced or deleted on a branch without a linked folder: in a document of it, or for the length of a pull. */
  | 'branchEdit'
  | 'settledPull';

export interface TrashItem {
  readonly id: string;
  readonly path: string;
  readonly size: number;
  /** When it was set aside, ms since the epoch. */
  readonly time: number;
  /** Undefined where the note does not say. */
  readonly cause: TrashCause | undefined;
  /** The file was deleted, rather than replaced by another version. */
  readonly deleted: boolean;
}

/** Every version that sync overwrote or deleted, on this disk or on the platform. */
export interface Trash {
  /** Keeps a version of the platform for good; answers its id. */
  put(path: string, bytes: Uint8Array, why: Pick<TrashItem, 'cause' | 'deleted'>): Promise<string>;
  /** What is kept, without reading its bytes. */
  list(): Promise<readonly TrashItem[]>;
  read(id: string): Promise<Uint8Array | undefined>;
}

/** One writer per folder and branch: a second window only reads. */
export interface WriterLock {
  /** True when this process holds the lock now. */
  acquire(): Promise<boolean>;
  /** Whether it still does: it may have stood still long enough that another window took the lock. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** What the editors hold that the disk does not. */
export interface EditorState {
  /** Paths with unsaved changes. */
  dirty(): ReadonlySet<string>;
}

export interface SyncPorts {
  readonly files: FileStore;
  /** A `RemoteWriter` for a dev branch, a plain `RemoteReader` for anything else. */
  readonly remote: RemoteReader | RemoteWriter;
  readonly base: BaseStore;
  readonly journal: JournalStore;
  /** Missing where the folder has only ever one branch. */
  readonly lastBranch?: LastBranch;
  readonly outbox: OutboxStore;
  readonly blobs: BlobStore;
  readonly trash: Trash;
  readonly history: HistoryStore;
  readonly lock: WriterLock;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly editors: EditorState;
}
