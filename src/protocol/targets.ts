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
export const rowTarget = (argument: unknown): RowTarget | undefined => targetOf<RowTarget>(argument, 'id');
export const copyTarget = (argument: unknown): CopyTarget | undefined => targetOf<CopyTarget>(argument, 'copy');
export const retryTarget = (argument: unknown): RetryTarget | undefined => targetOf<RetryTarget>(argument, 'retry');
