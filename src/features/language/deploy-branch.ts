import { isInside, pathInside } from '#base/path.ts';
import { parseFile } from '#model/file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { ModelIndex } from '#model/index.ts';
import { vocabularyOf } from '#model/vocabulary.ts';
import { renderModel, type RenderTemplates } from '#model/templates/render-model.ts';
import type { DeployBranchModel } from './messages.ts';
import type { BranchTree } from '#features/folders/index.ts';

const read = new WeakMap<BranchTree, DeployBranchModel>();

/** A branch with its files, and the folder of the model in it. */
interface BranchModel {
  readonly branch: string;
  readonly tree: BranchTree;
  readonly modelPath: string;
}

/**
 * Resolves to the names in the model of a branch, read from its files; `render` renders its templates where it can. Once every
 * template has been rendered, the result is cached until the branch changes.
 */
export async function deployBranchModel(
  { branch, tree, modelPath }: BranchModel,
  render: RenderTemplates,
): Promise<DeployBranchModel> {
  const known = read.get(tree);
  if (known) return known;
  const index = new ModelIndex();
  for (const { path, content } of tree.values())
    if (content !== undefined && isModelPath(path) && isInside(path, modelPath)) index.set(parseFile(path, content));
  const nameOf = (path: string): string => pathInside(path, modelPath) ?? path;
  const isWhole = await renderModel(index, nameOf, render);
  const cubes = [...vocabularyOf(index).values()].map(({ members, ...cube }) => ({
    ...cube,
    members: [...members].map(([name, word]) => ({ name, ...word })),
  }));
  const model = { branch, cubes };
  if (isWhole) read.set(tree, model);
  return model;
}
