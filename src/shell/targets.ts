/**
 * What a command acts on. Tree nodes carry these fields, so a menu passes the node itself; links and tests pass plain
 * objects; the palette passes nothing and the handler asks.
 */
export interface AccountTarget {
  readonly accountId: string;
}

export interface DeploymentTarget extends AccountTarget {
  readonly deploymentId: string;
}

/** A key that is unique for a deployment, for maps and as the end of stored keys. */
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

/** A linked folder, and how its saved files are to be pushed; without `push` the user is asked. */
export interface PushChoiceTarget extends FolderTarget {
  readonly push?: string | undefined;
}

/** The trash of a linked folder; `ids`: only these versions, all of which are to come back. */
export interface TrashTarget extends FolderTarget {
  readonly ids?: readonly string[] | undefined;
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

/** Reads the named text fields of an argument; `undefined` when one is missing, so that the handler asks instead. */
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
const rowTarget = (argument: unknown): RowTarget | undefined => targetOf<RowTarget>(argument, 'id');
export const copyTarget = (argument: unknown): CopyTarget | undefined => targetOf<CopyTarget>(argument, 'copy');
export const retryTarget = (argument: unknown): RetryTarget | undefined => targetOf<RetryTarget>(argument, 'retry');

/** A document, by its URI as text. */
export interface DocumentTarget {
  readonly uri: string;
}

/** A question for the agent that the user may change before it is sent, with the texts that go along. */
export interface AskTarget {
  readonly ask: string;
  readonly attached: readonly { readonly label: string; readonly detail: string; readonly text: string }[];
  /** Names of the model whose definitions go along where this window has them. */
  readonly names?: readonly string[] | undefined;
}

/** Two branches of one deployment; without `against` the other one is asked for. */
export interface ComparisonTarget extends BranchTarget {
  readonly against?: string | undefined;
}

/** An environment of a deployment; without `environmentId` it is asked for. */
export interface EnvironmentTarget extends DeploymentTarget {
  readonly environmentId?: string | undefined;
}

/** A changed file, and the row of the tree that shows it. */
export interface ChangeTarget extends FileTarget {
  readonly id?: string | undefined;
}

/** What is committed, and the input in which its message was typed. */
export type CommitTarget = (BranchTarget | FolderTarget) & { readonly inputBox: { value: string } };

/** A row of a tree, whose feature knows what stands behind it. */
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

/** The question that a link asks the agent, with what it attaches; nothing where one of them is missing. */
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

/** A branch, and the one that it is compared with where the row names it. */
export function comparisonTarget(argument: unknown): ComparisonTarget | undefined {
  const branch = branchTarget(argument);
  return branch && { ...branch, ...targetOf<{ readonly against: string }>(argument, 'against') };
}

/** A deployment, and an environment of it where the row names one. */
export function environmentTarget(argument: unknown): EnvironmentTarget | undefined {
  const deployment = deploymentTarget(argument);
  return deployment && { ...deployment, ...targetOf<{ readonly environmentId: string }>(argument, 'environmentId') };
}

/** A changed file, with the row that it was chosen on. */
export function changeTarget(argument: unknown): ChangeTarget | undefined {
  const file = fileTarget(argument);
  return file && { ...file, ...rowTarget(argument) };
}

/** A folder, with what is chosen for its saved files where the row names that. */
export function pushChoiceTarget(argument: unknown): PushChoiceTarget | undefined {
  const folder = folderTarget(argument);
  return folder && { ...folder, ...targetOf<{ readonly push: string }>(argument, 'push') };
}

/** A folder, with the versions in its trash that a row stands for. */
export function trashTarget(argument: unknown): TrashTarget | undefined {
  const folder = folderTarget(argument);
  const ids: unknown = folder && (argument as TrashTarget).ids;
  return folder && { ...folder, ...(Array.isArray(ids) ? { ids: ids.filter((id) => typeof id === 'string') } : {}) };
}

/** A branch or folder with the input box that the commit message is in. */
export function commitTarget(argument: unknown): CommitTarget | undefined {
  const target = branchTarget(argument) ?? folderTarget(argument);
  if (!target || !hasInput(argument)) return undefined;
  return { ...target, inputBox: argument.inputBox };
}

function hasInput(argument: unknown): argument is Pick<CommitTarget, 'inputBox'> {
  if (typeof argument !== 'object' || argument === null || !('inputBox' in argument)) return false;
  const { inputBox } = argument;
  return typeof inputBox === 'object' && inputBox !== null && 'value' in inputBox && typeof inputBox.value === 'string';
}

/** The row of a tree that a command was called on. */
export function treeRow(argument: unknown): TreeRow | undefined {
  const isRow = typeof argument === 'object' && argument !== null && 'kind' in argument;
  return isRow && typeof argument.kind === 'string' ? (argument as TreeRow) : undefined;
}

/** The files among selected rows, where they are several: a single one may be given otherwise, too. */
export function severalFiles(selection: readonly (FileTarget | object)[] = []): readonly FileTarget[] {
  const files = selection.filter((row): row is FileTarget => 'path' in row);
  return files.length > 1 ? files : [];
}

/** Whether one file of the folder is meant, not all of it. */
export const isFileTarget = (target: FileTarget | FolderTarget): target is FileTarget => 'path' in target;

/** Whether JavaScript models run in the sandbox. */
export const scriptChoice = (argument: unknown): 'run' | 'skip' | undefined =>
  argument === 'run' || argument === 'skip' ? argument : undefined;

/** The first reading of an argument that succeeds. */
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
