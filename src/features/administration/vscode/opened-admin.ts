import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { AdminNode } from '#features/administration/admin-tree.ts';
import type { AdminCommands } from '#shell/commands/administration-commands.ts';
import type { TreeItemSpec } from '#shell/tree-item.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { Handlers } from '#shell/vscode/register.ts';

/** The Administration view's rows, documents and commands. */
export interface OpenedAdmin extends Disposable {
  readonly commands: Handlers<AdminCommands>;
  readonly tree: ReadonlyStore<readonly AdminNode[]>;
  readonly describe: (node: AdminNode) => TreeItemSpec;
  /** Creates a document of an earlier window again. */
  readonly documentOf: (recipe: unknown, path: string) => Promise<PlatformDocument | undefined>;
  /** Loads the rows of a node that is expanded for the first time. */
  readonly expand: (node: AdminNode) => Promise<void>;
}

/** Loads the administration when it is first used. */
export type LazyAdmin = () => Promise<OpenedAdmin>;
