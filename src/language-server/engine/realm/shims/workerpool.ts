/**
 * Replaces the process pool to which the engine hands its transpilers: here they run where the engine runs. Bundled in place of
 * the pool's package.
 */
interface Transpiled {
  readonly errors: unknown[];
  readonly warnings: unknown[];
}
interface Question {
  readonly fileName: string;
  readonly content: string;
}
type Methods = Readonly<Record<string, (data: unknown) => Transpiled>>;

let methods: Methods = {};

/** The last question about each script, for as long as a model is compiled. */
const asked = new Map<string, Question>();

/** Forgets the scripts of the last model. */
export function forgetScripts(): void {
  asked.clear();
}

/** Returns the text of a script as it was written. */
export function writtenText(fileName: string): string | undefined {
  return asked.get(fileName)?.content;
}

/** Returns the code that a script would become if it had another text. */
export function transpiledAgain(fileName: string, content: string): string | undefined {
  const question = asked.get(fileName);
  const transpiled = question && methods['transpileJs']?.({ ...question, content });
  return transpiled && (taken(transpiled) as unknown as { readonly content?: string }).content;
}

const NOTHING = { fileName: '', content: '', transpilers: [], cubeNames: [], cubeSymbols: {} } as const;

/**
 * Empties the list of errors after a file: the transpilers share it and return all of it, so errors would also be reported for
 * later files.
 */
function taken(result: Transpiled): Transpiled {
  const own = { ...result, errors: [...result.errors], warnings: [...result.warnings] };
  result.errors.length = 0;
  result.warnings.length = 0;
  return own;
}

const inRealm = {
  worker: (registered: Methods): void => {
    methods = registered;
  },
  pool: () => ({
    exec: async (name: string, [data]: readonly [unknown]): Promise<Transpiled> => {
      const transpile = methods[name];
      if (!transpile) throw new Error(`The engine registered no “${name}”.`);
      const question = data as Question;
      if (question.fileName.endsWith('.js')) asked.set(question.fileName, question);
      try {
        return taken(transpile(data));
      } catch (error) {
        // Problems that were found before the failure are still in the list, and would be reported for the next file.
        const left = methods['transpileJs']?.(NOTHING);
        const own = left && taken(left);
        if (own && own.errors.length > 0) return own;
        throw error;
      }
    },
    terminate: (): void => undefined,
  }),
};

export default inRealm;
