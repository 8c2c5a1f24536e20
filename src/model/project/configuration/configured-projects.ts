import { baseName, dirName, joinPath } from '#base/path.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import { composeServices } from './compose-file.ts';
import { environmentOf } from './environment-file.ts';
import type { Environment } from './evaluate.ts';
import { namedModelFolders } from './named-folders.ts';
import { isComposeFile, isConfiguration } from './project-file.ts';

/** The variable that names the model folder where `cube.js` and `cube.py` name none. */
const SCHEMA_PATH = 'CUBEJS_SCHEMA_PATH';

/** A project that files configure. Paths are relative to the listed folder. */
export interface ConfiguredProject {
  /** The file that says where the model is, or beside which it is. */
  readonly configuration: string;
  /**
   * The folders where its model can be, the likeliest first; `UNKNOWN` stands for what only a running program knows. None if it
   * names none.
   */
  readonly folders: readonly string[];
}

/**
 * Returns the projects that files with these texts configure, in the engine's order: what `cube.py` and `cube.js` name, then the
 * variable `CUBEJS_SCHEMA_PATH` in `.env`; and what a compose file mounts or sets. Nothing is run. See
 * docs/model-language.md#where-models-are.
 */
export function configuredProjects(texts: ReadonlyMap<string, string>): readonly ConfiguredProject[] {
  const files = [...texts].sort(([one], [other]) => (one < other ? -1 : 1));
  const own = files.filter(([path]) => isConfiguration(path)).map(([path, text]) => ownProject(path, text, texts));
  const configured = new Set(own.map(({ configuration }) => dirName(configuration)));
  const byVariable = files.flatMap(([path, text]) => {
    const named = baseName(path) === '.env' && !configured.has(dirName(path)) && environmentOf(text).get(SCHEMA_PATH);
    return named ? [{ configuration: path, folders: located([named], inFolder(dirName(path))) }] : [];
  });
  const composed = files
    .filter(([path]) => isComposeFile(path))
    .flatMap(([path, text]) => composedProjects(path, text, texts));
  return [...own, ...byVariable, ...composed];
}

function ownProject(path: string, text: string, texts: ReadonlyMap<string, string>): ConfiguredProject {
  const folder = dirName(path);
  const names = namesIn(path, text, environmentBeside(folder, texts));
  return { configuration: path, folders: located(names, inFolder(folder)) };
}

function composedProjects(
  path: string,
  text: string,
  texts: ReadonlyMap<string, string>,
): readonly ConfiguredProject[] {
  const beside = inFolder(dirName(path));
  return composeServices(text, environmentBeside(dirName(path), texts)).flatMap(({ environment, onDisk }) => {
    const at = (inProject: string): string | undefined => {
      const own = onDisk(inProject);
      return own === undefined ? undefined : beside(own);
    };
    const variables = new Map([...environmentOf(texts.get(at('.env') ?? '') ?? ''), ...environment]);
    const [configuration] = ['cube.py', 'cube.js'].flatMap((name) => at(name) ?? []).filter((each) => texts.has(each));
    const names = namesIn(configuration ?? '', texts.get(configuration ?? '') ?? '', variables);
    const folders = located(names.length > 0 ? names : MODEL_FOLDERS, at);
    return folders.length > 0 ? [{ configuration: configuration ?? path, folders }] : [];
  });
}

/** Returns the folders that a configuration names, or else the environment; as they are written. */
function namesIn(path: string, text: string, environment: Environment): readonly string[] {
  const named = namedModelFolders(path, text, environment);
  const other = environment.get(SCHEMA_PATH);
  return named.length > 0 || other === undefined || other === '' ? named : [other];
}

function environmentBeside(folder: string, texts: ReadonlyMap<string, string>): Environment {
  return environmentOf(texts.get(joinPath(folder, '.env')) ?? '');
}

function located(names: readonly string[], locate: (name: string) => string | undefined): readonly string[] {
  return [...new Set(names.flatMap((name) => locate(name) ?? []))];
}

/** Returns a function that resolves a path as the engine does, from its project's folder; `undefined` if it leaves the listing. */
function inFolder(folder: string): (path: string) => string | undefined {
  return (path) => {
    const steps: string[] = folder === '' ? [] : folder.split('/');
    for (const step of path.replaceAll('\\', '/').split('/')) {
      if (step === '' || step === '.') continue;
      if (step !== '..') steps.push(step);
      else if (steps.pop() === undefined) return undefined;
    }
    return steps.join('/');
  };
}
