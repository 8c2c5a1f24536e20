import type { Client } from '#api/client/client.ts';
import type { DataClient } from '#api/data/data.ts';
import type { EngineRefusal } from '#model/engine/engine-refusals.ts';
import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import type { DeployAccess } from '#sync/core/remote/platform-remote.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** A data model at one moment. */
export interface ModelSnapshot {
  /** The folder of the model, with which every path of `files` begins; empty or ending in `/`. */
  readonly root: string;
  /** The texts of its files by path, in the form that a user would write. */
  readonly files: ReadonlyMap<string, string>;
  /** The texts of query files about the model by path, including those beside it. */
  readonly queries?: ReadonlyMap<string, string> | undefined;
  /**
   * The texts of the files in the project's `agents/` by path relative to that folder, and the beginning of their paths for a
   * user.
   */
  readonly agents?: { readonly root: string; readonly texts: ReadonlyMap<string, string> } | undefined;
  /** The text of `globals.py`, which defines names for templates; `undefined` if there is none. */
  readonly globals: string | undefined;
  /** Whether the folder is not known to be a model, so that other YAML files and scripts may be in it. */
  readonly isMixed: boolean;
}

/** The platform with the caller's credentials. */
export interface PlatformAccess {
  readonly client: Client;
  /** Returns a client for the data API at a URL that the platform reported, with a token that the platform issued. */
  readonly dataClient: (restUrl: string, token: string) => Pick<DataClient, 'load' | 'sql' | 'cubeSql'>;
  /** Scheme, host and port of the tenant. */
  readonly tenantUrl: string;
  /** The deployment that the folder is linked to. */
  readonly linkedDeployment: string | undefined;
  /** The folder, with which the paths of its files begin for a user; empty or ending in `/`. */
  readonly folder: string;
  /** The deployment that tools work on if the folder is not linked and none is named. */
  readonly shownDeployment?: string | undefined;
}

/** A branch to compare the linked folder with. */
export interface SyncedBranch {
  readonly access: PlatformAccess;
  readonly deployment: string;
  readonly branch: string;
  /** Only for a deploy. */
  readonly deploy?: DeployAccess | undefined;
}

/** The sync of the linked folder with a branch; the caller who opened it closes it. */
export interface OpenedSync {
  readonly sync: FolderSync;
  /** Throws `ToolError` if the folder is linked to something else by now; absent where its link cannot change meanwhile. */
  readonly requireLink?: (() => void) | undefined;
  readonly close: () => Promise<void>;
}

/** A merge whose text has conflict markers. Hashes are those of the conflict when it began. */
export interface BegunMerge {
  readonly base?: string | undefined;
  readonly local?: string | undefined;
  readonly remote?: string | undefined;
  /** The version of the branch that is in the text. */
  readonly theirs: string;
  /** The length of its markers. */
  readonly size: number;
}

/** The merges of the linked folder with a branch that are not finished, by path in the folder. */
export interface BegunMerges {
  readonly of: (path: string) => Promise<BegunMerge | undefined>;
  readonly keep: (path: string, merge: BegunMerge) => Promise<void>;
  readonly end: (path: string) => Promise<void>;
}

/** A change of one file. */
export interface Edit {
  /** In the form that a user writes. */
  readonly path: string;
  /** The path in the linked folder. */
  readonly inFolder: string;
  readonly change: 'add' | 'change' | 'delete';
  /** The hash of what was written; `undefined` if the file was removed. */
  readonly hash: string | undefined;
  /** The token for `undo`. */
  readonly undo: string;
}

/** The versions of files that sync replaced or deleted, by path as a user writes it (docs/sync.md#trash). */
export interface FolderTrash {
  readonly list: () => Promise<readonly TrashItem[]>;
  /**
   * Restores a version; what it replaces goes to the trash. Resolves to `undefined` if the trash has no such version; rejects with
   * `ToolError` if the file cannot be replaced.
   */
  readonly restore: (id: string) => Promise<RestoredVersion | undefined>;
}

/** A version that was restored. */
export interface RestoredVersion {
  readonly path: string;
  /** The id of the version that it replaced; absent if there was no file, or if it was that version already. */
  readonly replaced?: string | undefined;
}

/** The input of the compiler: the texts of a whole model, by names relative to its folder. */
export interface CompileRequest {
  readonly files: readonly { readonly fileName: string; readonly content: string }[];
  /** Whether compiling it runs JavaScript of the project, in a sandbox. */
  readonly hasScripts: boolean;
}

/** The result of the platform's compiler, or a sentence why it did not run. */
export type CompileResult =
  | { readonly kind: 'compiled'; readonly refusals: readonly EngineRefusal[] }
  | { readonly kind: 'skipped'; readonly reason: string };

/** The tools' access to their environment. */
export interface ToolPorts {
  /** Reads the current model that the tools work on; may return the same snapshot again for an unchanged model. */
  readonly model: (signal: AbortSignal) => Promise<ModelSnapshot>;
  /** Reads the same model at a Git revision; rejects with `ToolError` if there is no such revision. */
  readonly revision: (name: string, signal: AbortSignal) => Promise<ModelSnapshot>;
  /**
   * Renders the templates of a model in a sandbox on this machine. Absent if nothing of a project may run: then the source of
   * templates counts.
   */
  readonly render?: ((templates: readonly TemplateQuestion[]) => Promise<TemplateAnswer>) | undefined;
  /**
   * Compiles a model with the platform's compiler in a sandbox on this machine. Whether it runs scripts depends on who started
   * the tools, never on the input of a tool.
   */
  readonly compile: (request: CompileRequest, signal: AbortSignal) => Promise<CompileResult>;
  /** Opens the platform; rejects with `ToolError` if there are no credentials, or none for the folder's tenant. */
  readonly platform: (signal: AbortSignal) => Promise<PlatformAccess>;
  /** Opens the sync of the folder with a branch; rejects with `ToolError` if the folder is not linked. */
  readonly sync: (branch: SyncedBranch) => Promise<OpenedSync>;
  /** Returns the merges of the folder with a branch that are not finished. */
  readonly merges: (branch: SyncedBranch) => BegunMerges;
  /**
   * Changes one file of the model: `change` gets its text (`undefined` if the file does not exist) and returns the new one
   * (`undefined` to remove the file). The former version is stored. Rejects with `ToolError` if the path does not belong to the model.
   */
  readonly edit: (path: string, change: (before: string | undefined) => string | undefined) => Promise<Edit>;
  /** Undoes an edit by its token, and resolves to the path; rejects with `ToolError` if the file has changed since. */
  readonly undo: (token: string) => Promise<string>;
  /** The trash of the folder; rejects with `ToolError` if the folder is not linked. */
  readonly trash: FolderTrash;
  /**
   * Whether the user's settings protect a branch, so that a step that changes it needs confirmation; if absent, no branch is
   * protected.
   */
  readonly isProtected?: ((target: BranchTarget) => boolean) | undefined;
}
