/** What a linked folder can hold, for a user who links or clones. */
export interface LinkChoice {
  /** The value for `modelbench.json`. */
  readonly modelPath: string;
  readonly label: string;
  /** What is synchronised then. */
  readonly description: string;
}

/** What belongs to a project besides its model, by the names at the top of its folder. */
const CONFIGURATION = ['cube.py', 'cube.js', 'agents'];

/**
 * What a project can be linked as: its model alone, or the whole folder where configuration or agents lie beside the model.
 * `names` are the files and folders at the top of the folder or branch; `named` is the model folder that its configuration
 * names, if it does. The first choice is the usual one; there is always one. See docs/model-language.md#where-models-are.
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

/** The names at the top of a listing of paths. */
export function topNames(paths: Iterable<string>): readonly string[] {
  return [...new Set([...paths].map((path) => path.split('/')[0] ?? ''))];
}
