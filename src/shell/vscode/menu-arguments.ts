import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { FileTarget, FolderTarget } from '#shell/targets.ts';

/** A changed file in the Source Control view: its menus act on the file. */
export type FileState = vscode.SourceControlResourceState & FileTarget;

/** The target that the menu of a linked folder's commit box passes. */
export interface ControlTarget extends FolderTarget {
  readonly inputBox: { value: string };
  /** The branch that the box names as the destination; `undefined` if it names none. */
  readonly to?: string | undefined;
}

/**
 * Converts the arguments that menus of the Source Control view pass to those that trees pass: the file and the selection for
 * rows, the folder for a group and for the view's title. Returns `undefined` for arguments of other menus.
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
  const inputBox = first.inputBox as ControlTarget['inputBox'];
  return [{ folderId: String(first.rootUri), inputBox, ...namedBranch(first) } satisfies ControlTarget];
}

/** Returns the branch that a commit box names: its shortcut acts on the same one. */
function namedBranch(control: object): Pick<ControlTarget, 'to'> {
  const command = 'acceptInputCommand' in control ? control.acceptInputCommand : undefined;
  const args = isObject(command) && 'arguments' in command ? command.arguments : undefined;
  const first: unknown = Array.isArray(args) ? args[0] : undefined;
  return isObject(first) && 'to' in first && typeof first.to === 'string' ? { to: first.to } : {};
}

function isFileState(value: unknown): value is FileState {
  return isObject(value) && 'resourceUri' in value && 'folderId' in value && 'path' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
