/**
 * Replaces Node's contexts: the realm itself is the boundary, so it evaluates model code itself. The names that the engine gives
 * to models come from the context object, all others from the realm.
 */
type Scoped = (this: unknown, scope: object) => unknown;

/** Maps the message of an error to the file whose script threw it last: the engine reports errors without the file. */
const throwers = new Map<string, string>();
const MOST_THROWERS = 100;

/** Returns the file whose script threw an error with this message. */
export function fileThatThrew(message: string): string | undefined {
  return throwers.get(message);
}

/** Notes that the script of a file threw an error. */
export function noteThrower(error: unknown, file: string | undefined): void {
  if (throwers.size >= MOST_THROWERS) throwers.clear();
  if (file !== undefined && error instanceof Error) throwers.set(error.message, file);
}

export class Script {
  readonly #run: Scoped;
  readonly #file: string | undefined;

  constructor(code: string, options: { readonly filename?: string } = {}) {
    this.#file = options.filename;
    // oxlint-disable-next-line typescript/no-implied-eval -- the realm exists to run models
    this.#run = Function('scope', `with (scope) {\n${code}\n}`) as Scoped;
  }

  runInContext(context: object): unknown {
    try {
      return this.#run.call(undefined, context);
    } catch (error) {
      noteThrower(error, this.#file);
      throw error;
    }
  }
}

export const createContext = (context: object): object => context;

export default { Script, createContext };
