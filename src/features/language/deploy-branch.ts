import { isInside } from '#base/path.ts';
import { isModelPath, parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { vocabularyOf } from '#model/vocabulary.ts';
import type { DeployBranchModel } from './messages.ts';
import type { BranchTree } from '#features/folders/index.ts';

const read = new WeakMap<BranchTree, DeployBranchModel>();

/** The vocabulary of a branch, from its files; parsed once as long as the branch stays as it is. */
export function deployBranchModel(branch: string, tree: BranchTree, modelPath: string): DeployBranchModel {
  const known = read.get(tree);
  if (known) return known;
  const index = new ModelIndex();
  for (const { path, content } of tree.values())
    if (content !== undefined && isModelPath(path) && isInside(path, modelPath)) index.set(parseFile(path, content));
  const cubes = [...vocabularyOf(index).values()].map(({ members, ...cube }) => ({
    ...cube,
    members: [...members].map(([name, word]) => ({ name, ...word })),
  }));
  const model = { branch, cubes };
  read.set(tree, model);
  return model;
}
