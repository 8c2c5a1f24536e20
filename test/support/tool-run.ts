import { isModelPath } from '#model/project/model-path.ts';
import type { ModelSnapshot, ToolPorts } from '#tools/ports.ts';
import type { Tool, ToolAnswer, ToolContext } from '#tools/tool.ts';
import { filesIn } from './language/raw.ts';

/** Returns a model in one text as tools read it; see `filesIn`. Its folder is called `model`. */
export function snapshotOf(text: string, isMixed = false): ModelSnapshot {
  const texts = [...filesIn(text)];
  return {
    root: 'model/',
    files: new Map(texts.flatMap(([path, content]) => (isModelPath(path) ? [[`model/${path}`, content]] : []))),
    globals: texts.find(([path]) => path === 'globals.py')?.[1],
    isMixed,
  };
}

/** For tools that work offline. */
export const noPlatform: ToolPorts['platform'] = () => Promise.reject(new Error('The platform cannot be reached.'));

/** For tools that reach no production. */
export const noConfirmation: ToolContext['confirm'] = () => Promise.reject(new Error('Nothing is asked here.'));

/** For tools that compare nothing with a branch. */
export const noSync: ToolPorts['sync'] = () => Promise.reject(new Error('The folder is not linked.'));

/** For tools that compile nothing. */
export const noCompiler: ToolPorts['compile'] = () =>
  Promise.resolve({ kind: 'skipped', reason: 'There is no compiler here.' });

/** For tools that write nothing. */
export const noEdits: Pick<ToolPorts, 'merges' | 'edit' | 'undo' | 'trash'> = {
  merges: () => {
    throw new Error('Nothing is merged here.');
  },
  edit: () => Promise.reject(new Error('Nothing is written here.')),
  undo: () => Promise.reject(new Error('Nothing is written here.')),
  trash: {
    list: () => Promise.reject(new Error('There is no trash here.')),
    restore: () => Promise.reject(new Error('There is no trash here.')),
  },
};

interface RunOptions {
  readonly signal?: AbortSignal;
  /** The model in every revision; by default the current one. */
  readonly base?: string | ModelSnapshot;
  readonly compile?: ToolPorts['compile'];
  readonly render?: ToolPorts['render'];
}

/** Runs a tool on a model in one text. */
export async function runOn(
  text: string | ModelSnapshot,
  tool: Tool,
  input: object = {},
  { signal = new AbortController().signal, base, compile = noCompiler, render }: RunOptions = {},
): Promise<ToolAnswer> {
  const snapshot = typeof text === 'string' ? snapshotOf(text) : text;
  const ports: ToolPorts = {
    model: () => Promise.resolve(snapshot),
    revision: () => Promise.resolve(typeof base === 'string' ? snapshotOf(base) : (base ?? snapshot)),
    compile,
    render,
    platform: noPlatform,
    sync: noSync,
    ...noEdits,
  };
  return tool.run(ports, input, { signal, progress: () => undefined, confirm: noConfirmation });
}
