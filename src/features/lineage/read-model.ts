import { isInside, pathInside } from '#base/path.ts';
import { renderModel, type RenderTemplates } from '#model/templates/render-model.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { ModelIndex } from '#model/index.ts';
import { modelProjects } from '#model/project/projects.ts';
import type { ModelTexts } from './model-changes.ts';

/**
 * Returns a reader for versions of one model. It parses a file that is the same in several of them once, and renders templates
 * where `render` can.
 */
export function modelReader(render: RenderTemplates): (texts: ModelTexts) => Promise<ModelIndex> {
  const files = new Map<string, ModelFile>();
  const read = (path: string, text: string): ModelFile => {
    const known = files.get(path);
    if (known?.text === text) return known;
    const file = parseFile(path, text);
    files.set(path, file);
    return file;
  };
  return async (texts) => {
    const index = new ModelIndex();
    for (const [path, text] of texts) if (isModelPath(path)) index.set(read(path, text));
    const folders = await modelFolders(texts);
    await renderModel(index, (path) => nameIn(folders, path), render);
    return index;
  };
}

/** Resolves to the folders of models, inner ones first. */
async function modelFolders(texts: ModelTexts): Promise<readonly string[]> {
  const projects = await modelProjects([...texts.keys()], async (path) => Promise.resolve(texts.get(path)));
  return projects.map(({ model }) => model).sort((one, other) => other.length - one.length);
}

/** Returns the name by which templates of its model import a file. */
function nameIn(folders: readonly string[], path: string): string {
  return pathInside(path, folders.find((each) => isInside(path, each)) ?? '') ?? path;
}
