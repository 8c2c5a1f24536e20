import type { ModelFile } from '#model/file.ts';
import type { TemplateGlobal } from '#model/project/globals.ts';
import type { ModelIndex } from '#model/index.ts';
import type { DeployedVerdict, Verdict } from '#model/engine/merge-engine-problems.ts';
import type { KnownTables } from '#model/tables/read-tables.ts';
import type { Vocabulary } from '#model/vocabulary.ts';
import type { PlatformModel, WorkspaceUse } from '#features/language/messages.ts';
import type { Positions } from '#language-server/documents/lines.ts';

/** One namespace: a linked model folder, or a document that belongs to none. */
export interface ModelRoot {
  /** The folder's URI; that of the document itself if it is standalone. */
  readonly uri: string;
  readonly index: ModelIndex;
  /** Whether the other files of the model are unknown: no name may be reported as missing. */
  readonly isStandalone: boolean;
  /** Whether the folder is not linked: it may contain other YAML files and scripts, which are left alone. */
  mixed: boolean;
  /** The folder beside the model with queries about it, where it is known. */
  queries?: string | undefined;
  /** Whether it is not even known that the folder is the model’s own. */
  readonly guessed?: boolean | undefined;
  /** The model that the root's environment runs, once the client has sent it. */
  platform?: PlatformModel | undefined;
  /** The names on the deploy branch, if members are to be compared with it. */
  deployBranch?: DeployedModel | undefined;
  /** The uses of deleted members in the workspace. */
  workspaceUses?: readonly WorkspaceUse[] | undefined;
  /** The names that `globals.py` defines for templates. */
  globals?: Globals | undefined;
  /** The tables that files of the project describe; `undefined` if there are none. */
  tables?: KnownTables | undefined;
  /** The result of the engine's last check on this machine. */
  compiled?: Verdict | undefined;
  /** The result of the platform's last check of the branch. */
  deployed?: DeployedVerdict | undefined;
}

/** The `globals.py` of a model. */
export interface Globals {
  readonly uri: string;
  readonly text: string;
  readonly names: readonly TemplateGlobal[];
}

/** The deploy branch as of the last read. */
export interface DeployedModel {
  readonly branch: string;
  readonly cubes: ReadonlyMap<string, Vocabulary>;
}

/** A file together with its model and its positions. */
export interface Opened {
  readonly uri: string;
  readonly root: ModelRoot;
  readonly file: ModelFile;
  readonly positions: Positions;
}

export interface FileEvent {
  readonly root: ModelRoot;
  readonly uri: string;
}
