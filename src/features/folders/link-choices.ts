/** A way to link or clone a project: its model alone, or the whole folder. */
export interface LinkChoice {
  /** The value for `modelbench.json`. */
  readonly modelPath: string;
  readonly label: string;
  /** The files that are then synced. */
  readonly description: string;
}

/** Names at the top of a project's folder that belong to the project but not to its model. */
const CONFIGURATION = ['cube.py', 'cube.js', 'agents'];

/**
 * Returns the ways to link a project: its model alone, or the whole folder where configuration or agents lie beside the model.
 * `names` are the files and folders at the top of the folder or branch; `named` is the model folder that its configuration names,
 * if any. The usual choice is first; there is always one. See docs/model-language.md#where-models-are.
 */
export function linkChoices(names: readonly string[], named?: string): readonly [LinkChoice, ...LinkChoice[]] {
  const has = new Set(names);
  const modelPath = named ?? (has.has('schema') && !has.has('model') ? 'schema' : 'model');
  const model = { modelPath, label: 'Data Model Only', description: `${modelPath}/` };
  const beside = CONFIGURATION.filter((name) => has.has(name));
  if (beside.length === 0) return [model];
  const all = [`${modelPath}/`, ...beside.map((name) => (name === 'agents' ? 'agents/' : name)), 'and everything else'];
  return [model, { modelPath: '.', label: 'Whole Project', description: all.join(', ') }];
}

/** Returns the names at the top of a listing of paths. */
export function topNames(paths: Iterable<string>): readonly string[] {
  return [...new Set([...paths].map((path) => path.split('/')[0] ?? ''))];
}
