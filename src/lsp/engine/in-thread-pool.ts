/**
 * Stands in for the process pool that the engine hands its transpilers to: here they run in the engine's own thread.
 * Bundled in place of the pool's package.
 */
interface Transpiled {
  readonly errors: unknown[];
  readonly warnings: unknown[];
}
type Methods = Readonly<Record<string, (data: unknown) => Transpiled>>;

let methods: Methods = {};

const inThread = {
  worker: (registered: Methods): void => {
    methods = registered;
  },
  pool: () => ({
    exec: async (name: string, [data]: readonly [unknown]): Promise<Transpiled> => {
      const transpile = methods[name];
      if (!transpile) throw new Error(`The engine registered no “${name}”.`);
      const result = transpile(data);
      // The transpilers share one list of errors and hand it out whole: emptied, errors stay with their file.
      const own = { ...result, errors: [...result.errors], warnings: [...result.warnings] };
      result.errors.length = 0;
      result.warnings.length = 0;
      return own;
    },
    terminate: (): void => undefined,
  }),
};

// oxlint-disable-next-line import/no-default-export -- the engine asks the package for its default export
export default inThread;
