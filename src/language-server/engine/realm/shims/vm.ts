/**
 * In place of Node's contexts: the realm itself is the boundary, so model code is run by the realm's own evaluation. The names
 * that the engine gives to models come from the context object; the rest is the realm's.
 */
type Scoped = (this: unknown, scope: object) => unknown;

export class Script {
  readonly #run: Scoped;

  constructor(code: string) {
    // oxlint-disable-next-line typescript/no-implied-eval -- to run models is what the realm is for
    this.#run = Function('scope', `with (scope) {\n${code}\n}`) as Scoped;
  }

  runInContext(context: object): unknown {
    return this.#run.call(undefined, context);
  }
}

export const createContext = (context: object): object => context;

export default { Script, createContext };
