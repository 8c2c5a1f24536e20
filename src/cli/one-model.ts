import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseName } from '#base/path.ts';
import { MODEL_FOLDERS } from '#model/project/model-folders.ts';
import { modelProjects } from '#model/project/projects.ts';
import { ToolError } from '#tools/tool.ts';

/** The maximum number of names in a message. */
const MOST_NAMED = 5;

/**
 * Rejects with a `ToolError` if a folder holds several projects, each of which is a namespace of its own
 * (docs/model-language.md#where-models-are). `paths` of its files are relative to it.
 */
export async function requireOneModel(folder: string, paths: readonly string[]): Promise<void> {
  const found = await modelProjects(paths, (path) => Promise.resolve(readFileSync(join(folder, path), 'utf8')));
  // Folders inside of a model can be called anything else, such as `finance/cubes`.
  const own = found.filter(({ model, configuration }) => configuration !== undefined || isModelName(baseName(model)));
  if (own.length < 2) return;
  const named = own.slice(0, MOST_NAMED).map(({ model }) => `“${model}”`);
  const more = own.length > MOST_NAMED ? ' and others' : '';
  throw new ToolError(
    'usage',
    `“${folder}” holds several data models: ${named.join(', ')}${more}. Choose the folder of one project.`,
  );
}

/** What any file of a model begins with, also an unfinished one; a function of another library gets something else than a name. */
const BEGUN =
  /^\uFEFF?(?:cubes|views|view_groups)[ \t]*:|^\uFEFF?[ \t]*(?:cube|view)[ \t]*\((?:\s*[`'"]|[ \t]*$|\s*[\w.$]+\s*,\s*\{)/m;

/** Whether a folder called `model` belongs to another tool: it has files, and none of them is even the beginning of a model. */
export function isOfAnotherTool(folder: string, paths: readonly string[]): boolean {
  const texts = paths.map((path) => readFileSync(join(folder, path), 'utf8')).filter((text) => text.trim() !== '');
  return texts.length > 0 && !texts.some((text) => BEGUN.test(text));
}

function isModelName(name: string): boolean {
  return MODEL_FOLDERS.some((each) => each === name);
}
