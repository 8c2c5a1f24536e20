import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FileTarget, FolderTarget } from '#shell/targets.ts';

/** A changed file in the Source Control view: its menus act on the file. */
export type FileState = vscode.SourceControlResourceState & FileTarget;

/** What the menu of a linked folder's commit box passes on. */
export interface ControlTarget extends FolderTarget {
  readonly inputBox: { value: string };
}

/**
 * What the Source Control view's menus pass to a command, as trees pass it: the file and the selection for rows, the
 * folder for a group and for the view's title. `undefined` for what other menus pass.
 */
export function scmArguments(
  args: readonly unknown[],
): readonly [argument: unknown, selection?: readonly FileState[]] | undefined {
  const [first] = args;
  if (isFileState(first)) return [first, args.filter(isFileState)];
  if (!isObject(first)) return undefined;
  if ('resourceStates' in first && Array.isArray(first.resourceStates)) {
    const state: unknown = first.resourceStates[0];
    return [isFileState(state) ? ({ folderId: state.folderId } satisfies FolderTarget) : undefined];
  }
  if (!('rootUri' in first) || !('inputBox' in first)) return undefined;
  return [
    { folderId: String(first.rootUri), inputBox: first.inputBox as ControlTarget['inputBox'] } satisfies ControlTarget,
  ];
}

function isFileState(value: unknown): value is FileState {
  return isObject(value) && 'resourceUri' in value && 'folderId' in value && 'path' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
