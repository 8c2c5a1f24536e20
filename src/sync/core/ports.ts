import type { Clock } from '#base/clock.ts';
import type { JournalRecord } from '#sync/core/record/journal.ts';
import type { BaseEntry, BaseSnapshot } from './base.ts';
import type { FileRules } from '#sync/core/selection/file-rules.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { IgnoreFile, IgnoreFileName } from '#sync/core/selection/ignore.ts';
import type { Hash } from './hash.ts';
import type { HistoryStore } from '#sync/core/undo/history.ts';
import type { FrozenReason } from '#sync/core/planning/plan.ts';
import type { DeployBranch, DevBranch } from './target.ts';

/** The state of one path on the user's disk. Paths in every port are the platform's (`model/cubes/orders.yml`), in NFC. */
export type LocalState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly hash: Hash; readonly size: number }
  | { readonly kind: 'frozen'; readonly reason: FrozenReason };

/** A complete local tree, without ignored paths. */
export interface LocalListing {
  readonly files: ReadonlyMap<string, LocalFile>;
  readonly frozen: ReadonlyMap<string, FrozenReason>;
  /** False when a folder could not be read completely: nothing may be deleted because of this listing. */
  readonly complete: boolean;
  /** The identity of the folder, to notice a swapped or re-cloned one; undefined when it is missing. */
  readonly root: string | undefined;
  /** The ignore files that the walk found. */
  readonly ignoreFiles?: readonly IgnoreFile[] | undefined;
  /** The symbolic links that the walk followed, which is only done for a deploy, by their paths. */
  readonly links?: ReadonlyMap<string, FollowedLink> | undefined;
  /** The number of hidden files that a failed effect left behind: `FileStore.recover` restores their versions. */
  readonly leftovers?: number | undefined;
}

export interface LocalFile {
  readonly hash: Hash;
  readonly size: number;
  /** Shorter than recorded although its recorded time stamp is the same: a write that a crash tore. */
  readonly torn?: true;
}

export interface ScanRequest {
  /** Whether to leave out a path. */
  readonly ignores: (path: string, isFolder: boolean) => boolean;
  /** The same rules as text, for a scanner in another thread: lines relative to the linked folder. */
  readonly ignoreLines: readonly string[];
  /** Ignore files above the scanned folder, and the names of those to read on the way. */
  readonly ignoreFiles?: readonly IgnoreFile[] | undefined;
  readonly ignoreNames?: readonly IgnoreFileName[] | undefined;
  /** By default `sync`. With `deploy`, the walk follows symbolic links. */
  readonly rules?: FileRules | undefined;
  /** Re-hash everything and do not trust recorded time stamps. */
  readonly verify: boolean;
  /** Largest file that is synced, in bytes. */
  readonly maxFileSize: number;
  /** Entries that the listing may reuse where the disk has the same version. */
  readonly known?: ReadonlyMap<string, BaseEntry> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A new version of a file next to its target: durable, but not yet moved there. */
export interface StagedFile {
  readonly path: string;
  readonly hash: Hash;
  /** The name of the temporary file, as the journal records it. */
  readonly temporary: string;
}

/** `changed`: the file no longer matched the plan; nothing was lost and the path keeps the user's version. */
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

/** Some of several files could not be flushed to disk; the others are durable. */
export class UnkeptFiles extends FileProblem {
  readonly problems: ReadonlyMap<string, FileProblem>;
  constructor(first: FileProblem, problems: ReadonlyMap<string, FileProblem>) {
    super(first.kind, first.message, first.cause);
    this.problems = problems;
  }
}

/**
 * The linked folder. Where the disk refuses, methods throw `FileProblem`. Every method that writes checks the file
 * again right before its effect.
 */
export interface FileStore {
  /** Resolves to the identity of the folder, see `LocalListing.root`. */
  identity(): Promise<string | undefined>;
  /** Lists and hashes the whole tree. */
  scan(request: ScanRequest): Promise<LocalListing>;
  /** Resolves to the current state of one path, re-hashed, never from a cache. */
  stateOf(path: string): Promise<LocalState>;
  /** Resolves to the bytes of one path and their hash, from one stable read; undefined when it is not a readable file. */
  read(path: string): Promise<{ readonly bytes: Uint8Array; readonly hash: Hash } | undefined>;
  /** Reads ignore files of these names above the scanned folder and, with `paths`, in every folder down to each of them. */
  ignoreFiles(names: readonly IgnoreFileName[], paths?: Iterable<string>): Promise<readonly IgnoreFile[]>;
  /** Writes a temporary file next to `path` and makes its bytes durable. */
  stage(path: string, bytes: Uint8Array, hash: Hash): Promise<StagedFile>;
  /** Moves a staged file to its path if that still is `expected` (undefined = absent); the old version goes to the trash. */
  replace(staged: StagedFile, expected: Hash | undefined, cause: TrashCause): Promise<ReplaceResult>;
  discard(staged: StagedFile): Promise<void>;
  /** Moves a file to the trash if it still is `expected`. */
  remove(path: string, expected: Hash, cause: TrashCause): Promise<ReplaceResult>;
  /**
   * Copies a file to the trash before something other than sync replaces it. Resolves to the id of the copy,
   * `undefined` without a file. `unsaved`: what an editor holds in the place of the file.
   */
  keepCopy(path: string, cause: TrashCause, unsaved?: Uint8Array): Promise<string | undefined>;
  /** Renames a file (also when only the case changes) if it still is `expected` and the new name is free. */
  rename(from: string, to: string, expected: Hash): Promise<ReplaceResult>;
  /**
   * Makes the current bytes and names of these paths survive a power loss. Only then may the base advance. `names`: the
   * bytes already do, because they were staged. Throws {@link UnkeptFiles} where it failed for some files only.
   */
  sync(paths: readonly string[], only?: 'names'): Promise<void>;
  /**
   * Cleans up after a failed effect or an unclean stop: deletes unfinished files, and restores set-aside versions or
   * moves them to the trash.
   */
  recover(): Promise<void>;
}

export interface RemoteFile {
  readonly hash: Hash;
  /** Size in bytes, where the server reports it. */
  readonly size?: number | undefined;
}

export interface RemoteListing {
  readonly files: ReadonlyMap<string, RemoteFile>;
  /** Names that must not be written to a disk, with the reasons. */
  readonly frozen: ReadonlyMap<string, FrozenReason>;
  /** Every path of the branch that is not in `files` (frozen, or outside the model folder): a full manifest lists them too. */
  readonly others: ReadonlyMap<string, Hash>;
  /** False when the response could not be proven complete: nothing may be deleted because of this listing. */
  readonly complete: boolean;
}

/** A branch of a deployment, read only. Errors are `PlatformError`. */
export interface RemoteReader {
  /** Lists the branch. `known`: entries that the listing may reuse where the platform has the same version. */
  list(signal?: AbortSignal, known?: ReadonlyMap<string, BaseEntry>): Promise<RemoteListing>;
  /**
   * Yields contents as they arrive, one in memory at a time; ends when all of these paths arrived. A path that does not
   * exist never arrives, and a file that is not text arrives without bytes or with wrong ones.
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
  /** The hash that the platform must still have; undefined = it must not have the path. */
  readonly expected: Hash | undefined;
}

/**
 * `changed`: the platform reports that its files are not the expected ones (412), and wrote nothing. `refused`: it
 * wrote nothing for another reason. Only the hashes show which of the two is true; `error` holds the platform's message.
 */
export type WriteReply =
  /** `stored`: the version that the platform reports to have stored, where it does and there is only one. */
  | { readonly kind: 'done'; readonly stored?: Hash | undefined }
  | { readonly kind: 'changed'; readonly error?: Error | undefined }
  | { readonly kind: 'refused'; readonly error: Error };

/**
 * A personal dev branch, or the deploy branch of a `cli` deployment: no other branch can be written to. Errors are
 * `PlatformError`.
 */
export interface RemoteWriter extends RemoteReader {
  readonly branch: DevBranch | DeployBranch;
  /** Whether the branch takes only whole upload transactions, deletions included, as a deploy branch does. */
  readonly transactionOnly: boolean;
  /** Whether the server has been seen to honour `If-Match`: only then may a write be sent without listing the branch first. */
  readonly honoursPreconditions: boolean;
  /** Writes many files in one request. `save`: they were just saved, which must not take a further round trip each time. */
  put(files: readonly RemoteWrite[], signal?: AbortSignal, why?: 'save'): Promise<WriteReply>;
  remove(
    files: readonly { readonly path: string; readonly expected: Hash }[],
    signal?: AbortSignal,
  ): Promise<WriteReply>;
  rename(
    files: readonly { readonly from: string; readonly to: string; readonly expected: Hash }[],
    signal?: AbortSignal,
  ): Promise<WriteReply>;
  /** Whether these bytes survive a `put`, which sends text. */
  canPut(bytes: Uint8Array): boolean;
  startUpload(signal?: AbortSignal): Promise<UploadTransaction>;
  /** Resumes a transaction that an earlier run recorded; the server may have forgotten it. */
  resumeUpload(id: string): UploadTransaction;
}

/** An upload transaction: none of it is visible before `finish`. */
export interface UploadTransaction {
  /** An opaque id for the journal. */
  readonly id: string;
  upload(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** Throws if the branch takes no upload by now; read before the files of the branch, which are read last. */
  readonly requireTarget?: ((signal?: AbortSignal) => Promise<void>) | undefined;
  /**
   * Finishes the transaction. `manifest`: the whole tree after the upload; with `autoRemove`, the server deletes files
   * that it does not list. With a `message`, the server commits the upload with it, on a dev branch too.
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

/** The agreed state of both sides, stored outside the folder. */
export interface BaseStore {
  /**
   * Resolves to the last snapshot; `damaged` counts as no agreement at all: nothing is deleted or overwritten because
   * of it. Rejects when the snapshot cannot be read now, which is not damage.
   */
  load(): Promise<BaseSnapshot | 'damaged' | undefined>;
  /** Replaces the snapshot atomically and durably, and resolves to its seal. */
  save(snapshot: BaseSnapshot): Promise<string>;
}

/** The content of a journal. */
export interface JournalContent {
  /** The records, without an incomplete last one after a crash. */
  readonly records: readonly JournalRecord[];
  /** Whether some of it was changed or lost; it is unknown which records. */
  readonly damaged: boolean;
  /** Whether there is no journal. */
  readonly missing: boolean;
}

/** An append-only journal of what is about to happen and what happened. `load` rejects when the journal cannot be read now. */
export interface JournalStore {
  /** Differs after each start of the machine: a clean stop before it proves nothing about a power loss since. */
  readonly boot: string;
  load(): Promise<JournalContent>;
  /** Appends records; with `durable`, they are flushed to disk when this resolves. */
  append(records: readonly JournalRecord[], durable: boolean): Promise<void>;
  /** Starts a new journal with these records, atomically and durably, after a new snapshot contains everything before them. */
  reset(records: readonly JournalRecord[]): Promise<void>;
  /** Closes the file until the next append. */
  close(): Promise<void>;
}

/** Records which branch of the deployment the folder was last synced with (docs/sync.md#switched-branch). */
export interface LastBranch {
  /** Resolves to the state agreed with another branch, where that was the last one. Changes nothing. */
  load(): Promise<AgreedElsewhere | undefined>;
  /** Resolves to the name of another branch, where that was the last one. */
  other(): Promise<string | undefined>;
  /** Makes this branch the last one. Durable when it resolves. */
  take(): Promise<void>;
}

/** The base and journal of another branch of the same deployment. */
export interface AgreedElsewhere {
  readonly branch: string;
  readonly base: Awaited<ReturnType<BaseStore['load']>>;
  readonly journal: JournalContent;
}

/** A save that the platform does not have yet. */
export interface StoredSave {
  readonly path: string;
  /** The saved version; `null`: the path was gone. */
  readonly hash: Hash | null;
  /** The reason why it waits, as a sentence. */
  readonly reason: string;
}

/** Stores waiting saves across restarts. Losing them costs an automatic upload, never a version. */
export interface OutboxStore {
  load(): Promise<readonly StoredSave[]>;
  /** Replaces all of them atomically. */
  save(saves: readonly StoredSave[]): Promise<void>;
}

/** Stores versions by hash, for pulls, merges and diffs; may forget them. */
export interface BlobStore {
  get(hash: Hash): Promise<Uint8Array | undefined>;
  put(hash: Hash, bytes: Uint8Array): Promise<void>;
  /** Resolves to the versions that the platform lists but cannot deliver, because it sends files as text and they are not. */
  notText(): Promise<ReadonlySet<Hash>>;
  noteNotText(hashes: readonly Hash[]): Promise<void>;
}

/** The user's action when sync set a version aside. */
export type TrashCause =
  | 'pull'
  | 'resolve'
  | 'restore'
  | 'discard'
  | 'agentProposal'
  /** Replaced in the file by the start of a merge, or by its end without a result. */
  | 'merge'
  | 'unfinishedMerge'
  /** Replaced or deleted on the platform: by a push, by choosing the local version of a conflict, by a deploy. */
  | 'push'
  | 'keepMine'
  | 'deploy'
  /** Replaced or deleted on a branch without a linked folder: in one of its documents, or for the duration of a pull. */
  | 'branchEdit'
  | 'settledPull';

export interface TrashItem {
  readonly id: string;
  readonly path: string;
  readonly size: number;
  /** When it was set aside, in ms since the epoch. */
  readonly time: number;
  /** Undefined where the note does not contain it. */
  readonly cause: TrashCause | undefined;
  /** Whether the file was deleted, rather than replaced by another version. */
  readonly deleted: boolean;
}

/** Every version that sync overwrote or deleted, on this disk or on the platform. */
export interface Trash {
  /** Stores a version of the platform durably; resolves to its id. */
  put(path: string, bytes: Uint8Array, why: Pick<TrashItem, 'cause' | 'deleted'>): Promise<string>;
  /** Lists the stored versions without reading their bytes. */
  list(): Promise<readonly TrashItem[]>;
  read(id: string): Promise<Uint8Array | undefined>;
}

/** Admits one writer per folder and branch: a second window only reads. */
export interface WriterLock {
  /** Resolves to true when this process now holds the lock. */
  acquire(): Promise<boolean>;
  /** Whether this process still holds the lock: it may have been suspended long enough for another window to take it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** Keeps programs that store their records in different places, such as the editor and the command line, from changing a folder at once. */
export interface FolderTurn {
  /**
   * Runs work while no other program changes the folder. Resolves to `undefined`, without having run it, if another one does: at
   * once, or after a while where the work may wait.
   */
  during<T>(work: () => Promise<T>, options: { readonly mayWait: boolean }): Promise<{ readonly value: T } | undefined>;
}

/** The unsaved changes in the editors. */
export interface EditorState {
  /** Returns the paths with unsaved changes. */
  dirty(): ReadonlySet<string>;
}

export interface SyncPorts {
  readonly files: FileStore;
  /** A `RemoteWriter` for a branch that can be written to, a plain `RemoteReader` for any other. */
  readonly remote: RemoteReader | RemoteWriter;
  readonly base: BaseStore;
  readonly journal: JournalStore;
  /** Missing where the folder only ever has one branch. */
  readonly lastBranch?: LastBranch;
  readonly outbox: OutboxStore;
  readonly blobs: BlobStore;
  readonly trash: Trash;
  readonly history: HistoryStore;
  readonly lock: WriterLock;
  /** Missing where only one program knows the folder. */
  readonly turn?: FolderTurn | undefined;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly editors: EditorState;
}
