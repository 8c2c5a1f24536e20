import { fileRunning } from './async-hooks.ts';
import { lineThatThrows } from './thrown-line.ts';
import { noteThrown } from './thrown.ts';

/**
 * Replaces Node's contexts: the realm itself is the boundary, so it evaluates model code itself. The names that the engine gives
 * to models come from the context object, all others from the realm.
 */
type Scoped = (this: unknown, scope: object) => unknown;

export class Script {
  readonly #run: Scoped;
  readonly #file: string | undefined;

  constructor(code: string, options: { readonly filename?: string } = {}) {
    this.#file = options.filename;
    try {
      // oxlint-disable-next-line typescript/no-implied-eval -- the realm exists to run models
      this.#run = Function('scope', `with (scope) {\n${code}\n}`) as Scoped;
    } catch (error) {
      if (this.#file !== undefined) noteThrown(error, { fileName: this.#file });
      throw error;
    }
  }

  runInContext(context: object): unknown {
    try {
      return this.#run.call(undefined, context);
    } catch (error) {
      // Files of the same text share a script.
      const fileName = fileRunning() ?? this.#file;
      if (fileName !== undefined)
        noteThrown(error, { fileName }, (message) => lineThatThrows(fileName, message, context));
      throw error;
    }
  }
}

export const createContext = (context: object): object => context;

export default { Script, createContext };
