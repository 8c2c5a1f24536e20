/**
 * The targets of commands. Tree nodes carry these fields, so a menu passes the node itself; links and tests pass plain objects;
 * the palette passes nothing, so the handler asks.
 */
export interface AccountTarget {
  readonly accountId: string;
}

export interface DeploymentTarget extends AccountTarget {
  readonly deploymentId: string;
}

/** Returns a unique key of a deployment, for maps and as a suffix of stored keys. */
export function deploymentKey({ accountId, deploymentId }: DeploymentTarget): string {
  return JSON.stringify([accountId, deploymentId]);
}

export interface BranchTarget extends DeploymentTarget {
  readonly branchName: string;
}

/** A file of a linked folder; `folderId` is the folder's URI as text, `path` is relative to the model's root. */
export interface FileTarget {
  readonly folderId: string;
  readonly path: string;
}

export interface FolderTarget {
  readonly folderId: string;
}

/** A linked folder, and how its saved files are pushed; without `push` the user is asked. */
export interface PushChoiceTarget extends FolderTarget {
  readonly push?: string | undefined;
}

/** The trash of a linked folder; `ids`: restore all of these versions and no others. */
export interface TrashTarget extends FolderTarget {
  readonly ids?: readonly string[] | undefined;
}

/** A cube, view or member, by its full name such as `orders.count`. */
export interface ModelNameTarget {
  readonly modelName: string;
}

/** A text that a *Copy* action puts on the clipboard. */
export interface CopyTarget {
  readonly copy: string;
}

/** A row of a tree, by its id. */
export interface RowTarget {
  readonly id: string;
}

/** Something that failed to load and can be loaded again. */
export interface RetryTarget {
  readonly retry: string;
}

type Fields<T> = { readonly [K in keyof T]: string };

/** Reads the named text fields of an argument; returns `undefined` if one is missing, so that the handler asks instead. */
function targetOf<T extends Fields<T>>(argument: unknown, ...names: readonly (keyof T & string)[]): T | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const source = argument as Readonly<Record<string, unknown>>;
  const entries: [string, string][] = [];
  for (const name of names) {
    const value = source[name];
    if (typeof value !== 'string' || value === '') return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries) as T;
}

export const accountTarget = (argument: unknown): AccountTarget | undefined =>
  targetOf<AccountTarget>(argument, 'accountId');
export const deploymentTarget = (argument: unknown): DeploymentTarget | undefined =>
  targetOf<DeploymentTarget>(argument, 'accountId', 'deploymentId');
export const branchTarget = (argument: unknown): BranchTarget | undefined =>
  targetOf<BranchTarget>(argument, 'accountId', 'deploymentId', 'branchName');
export const fileTarget = (argument: unknown): FileTarget | undefined =>
  targetOf<FileTarget>(argument, 'folderId', 'path');
export const folderTarget = (argument: unknown): FolderTarget | undefined =>
  targetOf<FolderTarget>(argument, 'folderId');
export const modelNameTarget = (argument: unknown): ModelNameTarget | undefined =>
  targetOf<ModelNameTarget>(argument, 'modelName');
const rowTarget = (argument: unknown): RowTarget | undefined => targetOf<RowTarget>(argument, 'id');
export const copyTarget = (argument: unknown): CopyTarget | undefined => targetOf<CopyTarget>(argument, 'copy');
export const retryTarget = (argument: unknown): RetryTarget | undefined => targetOf<RetryTarget>(argument, 'retry');

/** A document, identified by its URI as text. */
export interface DocumentTarget {
  readonly uri: string;
}

/** A question for the agent that the user may edit before sending it, with the texts to attach. */
export interface AskTarget {
  readonly ask: string;
  readonly attached: readonly { readonly label: string; readonly detail: string; readonly text: string }[];
  /** Names from the model whose definitions are attached if this window has them. */
  readonly names?: readonly string[] | undefined;
}

/** Two branches of one deployment; without `against` the user is asked for the other one. */
export interface ComparisonTarget extends BranchTarget {
  readonly against?: string | undefined;
}

/** An environment of a deployment; without `environmentId` the user is asked for it. */
export interface EnvironmentTarget extends DeploymentTarget {
  readonly environmentId?: string | undefined;
}

/** A changed file, and the row of the tree that shows it. */
export interface ChangeTarget extends FileTarget {
  readonly id?: string | undefined;
}

/** A branch or folder to commit, with the input box that contains the message. */
export type CommitTarget = (BranchTarget | FolderTarget) & {
  readonly inputBox: { value: string };
  /** The branch that the input names as the destination; `undefined` if it names none. */
  readonly to?: string | undefined;
};

/** A row of a tree; the feature that owns the tree knows its other fields. */
export interface TreeRow {
  readonly kind: string;
}

/** An operation of the API Explorer. */
export interface OperationTarget {
  readonly operation: string;
}

export const documentTarget = (argument: unknown): DocumentTarget | undefined =>
  targetOf<DocumentTarget>(argument, 'uri');
export const operationTarget = (argument: unknown): OperationTarget | undefined =>
  targetOf<OperationTarget>(argument, 'operation');

/** Reads the question for the agent and its attachments from a link; returns `undefined` if either is missing. */
export function askTarget(argument: unknown): AskTarget | undefined {
  const question = targetOf<{ readonly ask: string }>(argument, 'ask');
  const attached: unknown = question && (argument as AskTarget).attached;
  if (!question || !Array.isArray(attached)) return undefined;
  const texts = attached.flatMap(
    (each) => targetOf<AskTarget['attached'][number]>(each, 'label', 'detail', 'text') ?? [],
  );
  const { names } = argument as AskTarget;
  const known = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  return { ...question, attached: texts, ...(known.length > 0 ? { names: known } : {}) };
}

/** Reads a branch, and the branch to compare it with if the row names one. */
export function comparisonTarget(argument: unknown): ComparisonTarget | undefined {
  const branch = branchTarget(argument);
  return branch && { ...branch, ...targetOf<{ readonly against: string }>(argument, 'against') };
}

/** Reads a deployment, and its environment if the row names one. */
export function environmentTarget(argument: unknown): EnvironmentTarget | undefined {
  const deployment = deploymentTarget(argument);
  return deployment && { ...deployment, ...targetOf<{ readonly environmentId: string }>(argument, 'environmentId') };
}

/** Reads a changed file, with the row on which it was chosen. */
export function changeTarget(argument: unknown): ChangeTarget | undefined {
  const file = fileTarget(argument);
  return file && { ...file, ...rowTarget(argument) };
}

/** Reads a folder, with the choice for its saved files if the row names one. */
export function pushChoiceTarget(argument: unknown): PushChoiceTarget | undefined {
  const folder = folderTarget(argument);
  return folder && { ...folder, ...targetOf<{ readonly push: string }>(argument, 'push') };
}

/** Reads a folder, with the versions in its trash that the row stands for. */
export function trashTarget(argument: unknown): TrashTarget | undefined {
  const folder = folderTarget(argument);
  const ids: unknown = folder && (argument as TrashTarget).ids;
  return folder && { ...folder, ...(Array.isArray(ids) ? { ids: ids.filter((id) => typeof id === 'string') } : {}) };
}

/** Reads a branch or folder with the input box that contains the commit message. */
export function commitTarget(argument: unknown): CommitTarget | undefined {
  const target = branchTarget(argument) ?? folderTarget(argument);
  if (!target || !hasInput(argument)) return undefined;
  return { ...target, inputBox: argument.inputBox, ...targetOf<{ readonly to: string }>(argument, 'to') };
}

function hasInput(argument: unknown): argument is Pick<CommitTarget, 'inputBox'> {
  if (typeof argument !== 'object' || argument === null || !('inputBox' in argument)) return false;
  const { inputBox } = argument;
  return typeof inputBox === 'object' && inputBox !== null && 'value' in inputBox && typeof inputBox.value === 'string';
}

/** Reads the row of a tree that a command was called on. */
export function treeRow(argument: unknown): TreeRow | undefined {
  const isRow = typeof argument === 'object' && argument !== null && 'kind' in argument;
  return isRow && typeof argument.kind === 'string' ? (argument as TreeRow) : undefined;
}

/** Returns the files among the selected rows if there are several: a single file may also be passed in another way. */
export function severalFiles(selection: readonly (FileTarget | object)[] = []): readonly FileTarget[] {
  const files = selection.filter((row): row is FileTarget => 'path' in row);
  return files.length > 1 ? files : [];
}

/** Whether the target is one file of the folder, not all of it. */
export const isFileTarget = (target: FileTarget | FolderTarget): target is FileTarget => 'path' in target;

/** Reads the choice whether JavaScript models run in the sandbox. */
export const scriptChoice = (argument: unknown): 'run' | 'skip' | undefined =>
  argument === 'run' || argument === 'skip' ? argument : undefined;

/** Combines several readers: the first one that succeeds determines the target. */
export function eitherOf<Targets extends readonly unknown[]>(
  ...reads: { readonly [At in keyof Targets]: (argument: unknown) => Targets[At] | undefined }
): (argument: unknown) => Targets[number] | undefined {
  return (argument) => {
    for (const read of reads) {
      const target = read(argument);
      if (target !== undefined) return target;
    }
    return undefined;
  };
}
