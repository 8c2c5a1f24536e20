import type * as vscode from 'vscode';
import type { FileTarget } from '#protocol/targets.ts';

/** The local version that a merge began with, and the hash of the other version that it is merged with. */
export interface BegunMerge {
  readonly mine: string;
  readonly remote: string;
  /** What both have in common, where no version is known that they come from. */
  readonly base?: string | undefined;
}

interface State {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState'>;
}

/** The merge of a file that was begun and is not settled, also after the window was closed in between. */
export function begunMerge({ context }: State, file: FileTarget): BegunMerge | undefined {
  return context.workspaceState.get<BegunMerge>(keyOf(file));
}

export async function keepBegun({ context }: State, file: FileTarget, merge: BegunMerge | undefined): Promise<void> {
  await context.workspaceState.update(keyOf(file), merge);
}

/** Paths of a folder's files with a merge under way: what is on the disk is half of it, whatever it is equal to. */
export function mergingPaths({ context }: State, folderId: string): readonly string[] {
  const prefix = keyOf({ folderId, path: '' });
  return context.workspaceState.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
}

const keyOf = ({ folderId, path }: FileTarget): string => `merge ${folderId} ${path}`;
