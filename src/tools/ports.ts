import type { Client } from '#api/client.ts';
import type { DataClient } from '#api/data.ts';
import type { EngineRefusal } from '#model/engine-refusals.ts';
import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { DeployBranch } from '#sync/core/target.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** A data model as it was read at one moment. */
export interface ModelSnapshot {
  /** The folder of the model, with which every path of `files` begins; empty or ending in `/`. */
  readonly root: string;
  /** The texts of its files by path, as a user would write the path. */
  readonly files: ReadonlyMap<string, string>;
  /** The texts of query files about the model by path, also of those beside it. */
  readonly queries?: ReadonlyMap<string, string> | undefined;
  /** The texts of the files below `agents/` of the project by path relative to it, and how their paths begin for a user. */
  readonly agents?: { readonly root: string; readonly texts: ReadonlyMap<string, string> } | undefined;
  /** The text of `globals.py`, which gives names to templates; `undefined`: there is none. */
  readonly globals: string | undefined;
  /** The folder is not known to be a model, so other YAML and scripts may lie in it. */
  readonly isMixed: boolean;
}

/** The platform as the caller's credentials reach it. */
export interface PlatformAccess {
  readonly client: Client;
  /** The data API at an address that the platform named, with a token that it issued. */
  readonly dataClient: (restUrl: string, token: string) => Pick<DataClient, 'load' | 'sql' | 'cubeSql'>;
  /** Scheme, host and port of the tenant. */
  readonly tenantUrl: string;
  /** The deployment that the folder is linked to. */
  readonly linkedDeployment: string | undefined;
  /** The deployment that tools are about where the folder is linked to none and none is named. */
  readonly shownDeployment?: string | undefined;
}

/** A branch that the linked folder is compared with. */
export interface SyncedBranch {
  readonly access: PlatformAccess;
  readonly deployment: string;
  readonly branch: string;
  /** Only for a deploy: a checked deploy branch, and whether an upload to it is confirmed at this moment. */
  readonly deploy?: { readonly branch: DeployBranch; readonly isOpen: boolean } | undefined;
}

/** The sync of the linked folder with a branch; whoever opened it closes it. */
export interface OpenedSync {
  readonly sync: FolderSync;
  readonly close: () => Promise<void>;
}

/** A change of one file. */
export interface Edit {
  /** As a user writes it. */
  readonly path: string;
  /** The path in the linked folder. */
  readonly inFolder: string;
  readonly change: 'add' | 'change' | 'delete';
  /** What `undo` takes. */
  readonly undo: string;
}

/** What is compiled: the texts of a whole model, by names that are relative to its folder. */
export interface CompileRequest {
  readonly files: readonly { readonly fileName: string; readonly content: string }[];
  /** Compiling it runs JavaScript of the project, in a sandbox. */
  readonly hasScripts: boolean;
}

/** What the platform's compiler found, or why it was not asked, as a sentence. */
export type CompileResult =
  | { readonly kind: 'compiled'; readonly refusals: readonly EngineRefusal[] }
  | { readonly kind: 'skipped'; readonly reason: string };

/** What tools need of the world. */
export interface ToolPorts {
  /** Reads the model that the tools work on, as it is now; may answer the same snapshot again for the same model. */
  readonly model: (signal: AbortSignal) => Promise<ModelSnapshot>;
  /** The same model as a Git revision has it; rejects with `ToolError` where there is no such revision. */
  readonly revision: (name: string, signal: AbortSignal) => Promise<ModelSnapshot>;
  /**
   * Renders the templates of a model in a sandbox on this machine. Absent where nothing of a project may run: then templates count as
   * they are written.
   */
  readonly render?: ((templates: readonly TemplateQuestion[]) => Promise<TemplateAnswer>) | undefined;
  /**
   * Compiles a model with the platform's compiler in a sandbox on this machine. Whether it runs scripts depends on who started the
   * tools, never on the input of a tool.
   */
  readonly compile: (request: CompileRequest, signal: AbortSignal) => Promise<CompileResult>;
  /** Opens the platform; rejects with `ToolError` where there are no credentials, or none for the folder's tenant. */
  readonly platform: (signal: AbortSignal) => Promise<PlatformAccess>;
  /** Opens the sync of the folder with a branch; rejects with `ToolError` where the folder is not linked. */
  readonly sync: (branch: SyncedBranch) => Promise<OpenedSync>;
  /**
   * Changes one file of the model: `change` gets its text (`undefined`: there is none) and answers the new one (`undefined`: it is
   * removed). The former version is kept. Rejects with `ToolError` where the path is not one of the model.
   */
  readonly edit: (path: string, change: (before: string | undefined) => string | undefined) => Promise<Edit>;
  /** Takes an edit back by its token, and answers the path; rejects with `ToolError` where the file was changed since. */
  readonly undo: (token: string) => Promise<string>;
  /** Whether the user's settings protect a branch, so that a step that changes it is confirmed; absent: none is. */
  readonly isProtected?: ((target: BranchTarget) => boolean) | undefined;
}
