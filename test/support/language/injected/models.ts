import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isModelPath } from '#model/project/model-path.ts';
import { BASE_MODELS } from '../matrix/base-models.ts';
import { filesIn } from '../raw.ts';
import { TEMPLATED_MODELS } from '../templated-models.ts';
import type { ModelTexts } from './run-mistakes.ts';

const CORPORA = 'test/fixtures/corpora';
const SAMPLE = 'test/platform/data/sample/model';

interface Verdict {
  readonly root: string;
  readonly errors: readonly unknown[];
}

/** Returns models of this repository that the engine accepts, by name: the sample, those of third parties, templates, and the
 * base models of the matrix. */
export function ownModels(): ReadonlyMap<string, ModelTexts> {
  const verdicts = JSON.parse(readFileSync(`${CORPORA}/verdicts.json`, 'utf8')) as readonly Verdict[];
  const roots = verdicts
    .filter(({ errors }) => errors.length === 0)
    .map(({ root }) => root.replace('corpora', CORPORA));
  const written = [
    ...templatedModels(),
    ...Object.entries(BASE_MODELS).map(([name, text]) => [name, { 'm.yml': text }] as const),
  ];
  return new Map([...modelsIn([SAMPLE, ...roots]), ...written]);
}

/** Returns the models with templates, by what is in them. */
export function templatedModels(): ReadonlyMap<string, ModelTexts> {
  return new Map(
    Object.entries(TEMPLATED_MODELS).map(([name, text]) => [name, Object.fromEntries(filesIn(text))] as const),
  );
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
