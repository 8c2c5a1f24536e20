import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { abortReason, asError } from '#base/async.ts';
import { isInside, leavesFolder } from '#base/path.ts';
import { agentPath } from '#model/agents/agent-file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { isIgnoredFolder, MODEL_FOLDERS } from '#model/project/model-folders.ts';
import { isConfiguration, isProjectFile } from '#model/project/configuration/project-file.ts';
import { hasTenants, PROJECT_FILES, projectFolders } from '#model/project/projects.ts';
import { queryFolder } from '#model/query-files/query-folder.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import type { ModelSnapshot, ToolPorts } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';
import { folderLink, requireFolder } from './folder-link.ts';
import { isOfAnotherTool, requireOneModel } from './one-model.ts';
import { refusalOf } from './system-errors.ts';
import { stampOf } from './unchanged-files.ts';

/**
 * Reads the model of a folder: the one that its `modelbench.json` names, `model` or `schema`, or the folder itself, of whose files
 * only those that look like a model count. Rejects if that holds several projects. No code of the project runs. Links inside it are
 * not followed, so that nothing outside of the folder is read, except the queries beside a model that is named itself. Paths are
 * relative to `from` if the folder is inside it. Returns the same snapshot until a file changes.
 */
export function modelFolder(folder: string, from: string): ToolPorts['model'] {
  let last: { readonly stamp: string; readonly snapshot: ModelSnapshot } | undefined;
  // An async function, so that errors become rejections.
  return async (signal) => {
    const { root, isMixed } = modelRootOf(folder);
    const paths = listed(root);
    if (isMixed)
      await requireOneModel(
        root,
        listed(root, (name) => isModelPath(name) || isProjectFile(name)),
      );
    const beside = queriesBeside(folder, { root, isMixed });
    const others = beside !== undefined && isFolder(beside) ? listed(beside).filter(isQueryPath) : [];
    const globals = join(root, 'globals.py');
    const ofAgents = agentFolder(folder, root);
    const stamp = stampOf([
      ...paths.map((path) => join(root, path)),
      ...others.map((path) => join(beside ?? '', path)),
      ...(isFile(globals) ? [globals] : []),
      ...ofAgents.paths.map((path) => join(ofAgents.folder, path)),
    ]);
    if (last?.stamp === stamp) return await Promise.resolve(last.snapshot);
    const shown = shownFolder(root, from);
    const files = new Map<string, string>();
    const queries = new Map<string, string>();
    for (const path of paths) {
      if (signal.aborted) throw abortReason(signal);
      (isQueryPath(path) ? queries : files).set(`${shown}${path}`, readFileSync(join(root, path), 'utf8'));
    }
    for (const path of others)
      queries.set(`${shownFolder(beside ?? '', from)}${path}`, readFileSync(join(beside ?? '', path), 'utf8'));
    const text = isFile(globals) ? readFileSync(globals, 'utf8') : undefined;
    const agents = { root: shownFolder(ofAgents.folder, from), texts: textsIn(ofAgents) };
    last = { stamp, snapshot: { root: shown, files, queries, agents, globals: text, isMixed } };
    return last.snapshot;
  };
}

/** Returns the folder for queries beside a project's model; `undefined` if nothing shows what is beside it. */
export function queriesBeside(project: string, { root, isMixed }: ModelLocation): string | undefined {
  const path = resolve(root);
  const whole = isMixed ? undefined : 'whole';
  return queryFolder(path.split(sep).join('/'), path === resolve(project) ? whole : 'inside');
}

/** The location of a project's model. */
export interface ModelLocation {
  readonly root: string;
  readonly isMixed: boolean;
}

/** Finds the model of a project; throws `ToolError` if there is no such folder. */
export function modelRootOf(folder: string): ModelLocation {
  requireFolder(folder);
  const link = folderLink(folder);
  if (link) {
    const { modelPath } = link;
    // In a project that is linked as a whole, only its model folder is a model.
    if (modelPath !== '') return { root: folderInside(folder, modelPath), isMixed: false };
    const root = unlinkedRoot(folder);
    return root === undefined ? { root: folder, isMixed: hasProjects(folder) } : { root, isMixed: false };
  }
  const own = unlinkedRoot(folder);
  return own === undefined ? { root: folder, isMixed: true } : { root: own, isMixed: false };
}

/**
 * Returns the folder that the configuration of a project names, or else `model` or `schema`, unless another tool has its files there;
 * `undefined` if there is none, or one for each tenant.
 */
function unlinkedRoot(folder: string): string | undefined {
  const files = PROJECT_FILES.filter((name) => isFile(join(folder, name)));
  const texts = new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  if (hasTenants(texts)) return undefined;
  const named = projectFolders(texts).find((path) => path !== '' && isFolder(join(folder, path)));
  if (named !== undefined) return folderInside(folder, named);
  const usual = MODEL_FOLDERS.map((name) => join(folder, name)).filter(isFolder);
  const own = usual.find((path) => !isOfAnotherTool(path, listed(path, isModelPath)));
  return own ?? (files.some(isConfiguration) ? usual[0] : undefined);
}

/** Whether subfolders hold models of their own, so that the folder is not one model. */
function hasProjects(folder: string): boolean {
  return listed(folder, isModelPath).some((path) => path.split('/').slice(0, -1).some(isUsualName));
}

function isUsualName(name: string): boolean {
  return MODEL_FOLDERS.some((each) => each === name);
}

/** Returns a subfolder; one that a symbolic link takes out of the folder is refused. */
function folderInside(folder: string, name: string): string {
  const path = join(folder, name);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolError('usage', `“${path}”, which modelbench.json names, is not a folder.`);
  if (isInside(realpathSync(path), realpathSync(folder), sep)) return path;
  throw new ToolError(
    'usage',
    `“${path}” leads out of the folder through a symbolic link. Replace the link with a real folder, or correct "modelPath" in modelbench.json.`,
  );
}

/** Returns the folder as a prefix of paths: empty for `from` itself, else with a slash at its end. */
export function shownFolder(root: string, from: string): string {
  const path = relative(from, root);
  const shown = (leavesFolder(path, sep) ? root : path).split(sep).join('/');
  return shown === '' ? '' : `${shown}/`;
}

interface AgentFolder {
  readonly folder: string;
  /** The paths of its files, relative to it. */
  readonly paths: readonly string[];
}

/** Returns the folder `agents` of a project beside its model; without files if there is none. */
function agentFolder(project: string, model: string): AgentFolder {
  const folder = agentsBeside(project);
  if (project === model || !isFolder(folder)) return { folder, paths: [] };
  return { folder, paths: listed(folder, isAgentFile) };
}

/** Returns where the files of a project's agents are. */
export function agentsBeside(project: string): string {
  return join(project, 'agents');
}

/** Whether a path below that folder, without ignored folders, is one of its files. */
export function isAgentFilePath(path: string): boolean {
  return isAgentFile(path) && isInReadFolders(path);
}

function isAgentFile(name: string): boolean {
  return agentPath(`agents/${name}`) !== undefined;
}

function textsIn({ folder, paths }: AgentFolder): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Returns the files below a folder, by default those of a model, relative to it and sorted. */
function listed(root: string, isWanted: (name: string) => boolean = isModelOrQuery): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string, path: string): void => {
    for (const entry of entriesOf(folder)) {
      const below = `${path}${entry.name}`;
      if (entry.isDirectory() && !isIgnoredFolder(entry.name)) visit(join(folder, entry.name), `${below}/`);
      else if (entry.isFile() && isWanted(entry.name)) found.push(below);
    }
  };
  visit(root, '');
  return found.sort();
}

/** Whether a path below the model's folder is that of a model file, without `..` and ignored folders. */
export function isModelFilePath(path: string): boolean {
  return isModelOrQuery(path) && isInReadFolders(path);
}

/** Whether none of the folders of a path is ignored, `..` included. */
export function isInReadFolders(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.every((name) => name !== '' && !isIgnoredFolder(name));
}

function isModelOrQuery(path: string): boolean {
  return isModelPath(path) || isQueryPath(path);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new ToolError('usage', refusalOf(error) ?? `“${folder}” cannot be read: ${asError(error).message}`);
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
