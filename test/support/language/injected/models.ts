import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isModelPath } from '#model/file.ts';
import type { ModelTexts } from './judge.ts';

const CORPORA = 'test/fixtures/corpora';
const SAMPLE = 'test/platform/data/sample/model';

interface Verdict {
  readonly root: string;
  readonly errors: readonly unknown[];
}

/** Returns models of this repository that the engine accepts, by folder: the sample and those of third parties. */
export function ownModels(): ReadonlyMap<string, ModelTexts> {
  const verdicts = JSON.parse(readFileSync(`${CORPORA}/verdicts.json`, 'utf8')) as readonly Verdict[];
  const roots = verdicts
    .filter(({ errors }) => errors.length === 0)
    .map(({ root }) => root.replace('corpora', CORPORA));
  return modelsIn([SAMPLE, ...roots]);
}

/** Returns the models of folders or single files. */
export function modelsIn(roots: readonly string[]): ReadonlyMap<string, ModelTexts> {
  return new Map(roots.filter((root) => existsSync(root)).map((root) => [root, textsIn(root)]));
}

function textsIn(root: string): ModelTexts {
  const isFolder = statSync(root).isDirectory();
  const folder = isFolder ? root : dirname(root);
  const paths = isFolder ? globSync('**/*', { cwd: root }) : [root.slice(folder.length + 1)];
  const files = paths.filter((path) => isModelPath(path) && statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
