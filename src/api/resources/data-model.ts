import * as v from 'valibot';
import { operation, slow } from '#api/operation.ts';
import { answering, flagIn, inDeployment, isObject, mapOf, objectOf, opt, strictObject, text } from '#api/schema.ts';

const tag = 'Data model';

/** A file or folder of the data model, as listed by the platform (docs/platform-api.md#listdatamodelfiles). */
export interface FileNode {
  readonly path: string;
  readonly type: string;
  readonly content?: string | undefined;
  readonly children?: readonly FileNode[] | undefined;
}

export interface BranchFile {
  readonly path: string;
  /** Only present if requested. */
  readonly content?: string | undefined;
}

const fileNode: v.GenericSchema<unknown, FileNode> = v.looseObject({
  path: v.string(),
  type: v.string(),
  content: opt(v.string()),
  children: v.optional(v.array(v.lazy(() => fileNode))),
}) as v.GenericSchema<unknown, FileNode>;

const node = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  const children: unknown = value['children'] ?? value['files'];
  const type = value['type'] ?? (Array.isArray(children) ? 'directory' : 'file');
  return Array.isArray(children) ? { ...value, type, children: children.map(node) } : { ...value, type };
};

/** The nested tree; `{files:[…]}`, `{data:…}` and a bare array are also accepted, as the children of the root. */
const fileTree = answering(fileNode, (value) => {
  const inner = isObject(value) && value['path'] === undefined ? (value['data'] ?? value['files'] ?? value) : value;
  if (Array.isArray(inner)) return { path: '/', type: 'directory', children: inner.map(node) };
  return isObject(inner) && inner['path'] === undefined && Array.isArray(inner['files'])
    ? { path: '/', type: 'directory', children: inner['files'].map(node) }
    : node(inner);
});

/** Returns the files of a tree without folders, in the tree's order; paths are as the server sent them. */
export function filesOf(tree: FileNode): readonly BranchFile[] {
  if (tree.type !== 'directory' && tree.children === undefined) return [{ path: tree.path, content: tree.content }];
  return (tree.children ?? []).flatMap((child) => filesOf(child));
}

/** `filesOf` flattens the response. See docs/platform-api.md#listdatamodelfiles. */
export const listDataModelFiles = operation({
  id: 'listDataModelFiles',
  method: 'GET',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/files',
  tag,
  summary: 'List the data-model files of a branch, with or without their content.',
  timeoutFactor: slow,
  params: inDeployment,
  query: strictObject({ branchName: v.optional(text), withContent: v.optional(flagIn) }),
  answer: fileTree,
});

/** For dev-mode branches only. See docs/platform-api.md#writedatamodelfiles. */
export const writeDataModelFiles = operation({
  id: 'writeDataModelFiles',
  method: 'PUT',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/files',
  tag,
  summary: 'Write data-model files of a dev branch.',
  params: inDeployment,
  body: strictObject({
    branchName: text,
    files: v.array(strictObject({ path: text, content: v.string('must be text') })),
  }),
});

/** For dev-mode branches only. See docs/platform-api.md#deletedatamodelfiles. */
export const deleteDataModelFiles = operation({
  id: 'deleteDataModelFiles',
  method: 'DELETE',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/files',
  tag,
  summary: 'Delete data-model files of a dev branch.',
  params: inDeployment,
  body: strictObject({ branchName: text, files: v.array(strictObject({ path: text })) }),
});

/** For dev-mode branches only. See docs/platform-api.md#renamedatamodelfiles. */
export const renameDataModelFiles = operation({
  id: 'renameDataModelFiles',
  method: 'POST',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/files/rename',
  tag,
  summary: 'Rename data-model files of a dev branch.',
  params: inDeployment,
  body: strictObject({ branchName: text, files: v.array(strictObject({ path: text, newPath: text })) }),
});

/** Maps each path to the SHA-1 (hex) of the file's raw bytes. See docs/platform-api.md#getfilehashes. */
export const getFileHashes = operation({
  id: 'getFileHashes',
  method: 'GET',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/file-hashes',
  tag,
  summary: 'Get the hashes of the data-model files of a branch.',
  params: inDeployment,
  query: strictObject({ branchName: v.optional(text) }),
  answer: objectOf({ files: mapOf(v.string(), v.looseObject({ hash: v.string() })) }),
});

const TEXTS = ['message', 'error', 'errorMessage', 'text', 'description', 'detail', 'reason'] as const;

/** Returns an error of a model in the documented shape: servers also send plain texts, and other names for its text. */
function errorOf(row: unknown): { readonly message: string } {
  if (!isObject(row)) return { message: typeof row === 'string' ? row : shown(row) };
  const message = textIn(row) ?? shown(row);
  return { ...row, message };
}

function textIn(row: Readonly<Record<string, unknown>>): string | undefined {
  return TEXTS.map((name) => row[name]).find((value): value is string => typeof value === 'string' && value !== '');
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 500);
}

/**
 * Returns the errors of an answer as a list: servers also send a single error, and an object with the errors of each file. An error
 * has a text under one of its names; in an object of files, the values are errors or lists of them.
 */
function errorRows(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given.flatMap((row: unknown) => (Array.isArray(row) ? (row as unknown[]) : [row]));
  if (!isObject(given) || textIn(given) !== undefined) return [given];
  return Object.entries(given).flatMap(([fileName, own]) =>
    (Array.isArray(own) ? (own as unknown[]) : [own]).filter(isSaid).map((row) => ({ fileName, ...errorOf(row) })),
  );
}

/** The errors of a model; none is left out for its shape. */
const errorsOut = answering(v.array(v.looseObject({ fileName: opt(v.string()), message: v.string() })), (given) =>
  errorRows(given).filter(isSaid).map(errorOf),
);

function isSaid(row: unknown): boolean {
  return row !== undefined && row !== null && row !== '';
}

/** Takes `branchName`, or `devMode` for the caller's active dev branch. See docs/platform-api.md#validatedatamodel. */
export const validateDataModel = operation({
  id: 'validateDataModel',
  method: 'GET',
  path: '/build/api/v1/deployments/{deploymentId}/data-model/validate',
  tag,
  summary: 'Compile the data model of a branch and list its errors.',
  timeoutFactor: slow,
  described: true,
  params: inDeployment,
  query: strictObject({ branchName: v.optional(text), devMode: v.optional(flagIn) }),
  answer: objectOf({
    branchName: opt(v.string()),
    valid: v.boolean(),
    cubesCount: opt(v.number()),
    errors: v.optional(errorsOut, []),
  }),
});
