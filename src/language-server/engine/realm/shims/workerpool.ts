/**
 * Replaces the process pool to which the engine hands its transpilers: here they run where the engine runs. Bundled in place of
 * the pool's package.
 */
interface Transpiled {
  readonly errors: unknown[];
  readonly warnings: unknown[];
}
type Methods = Readonly<Record<string, (data: unknown) => Transpiled>>;

let methods: Methods = {};

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
