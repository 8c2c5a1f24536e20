import { createRequire } from 'node:module';
import type { CubeMeta, ModelFile } from './types.ts';
import type { JinjaEngine } from './jinja.ts';

/**
 * The part of `@cubejs-backend/schema-compiler` that the platform uses, typed narrowly here, and made to run without its
 * native addon: Jinja comes from a WASM build, the SQL planner is the JavaScript one, and transpilation stays in this
 * thread instead of a process pool a compilation.
 */
export interface Compilers {
  readonly compiler: {
    compile(): Promise<unknown>;
    readonly errorsReporter?: { getErrors(): readonly { message: string; fileName?: string | undefined }[] };
  };
  readonly metaTransformer: { readonly cubes: readonly { readonly config: CubeMeta }[] };
  readonly cubeEvaluator: CubeEvaluator;
  readonly compilerId: string;
}

export interface CubeEvaluator {
  readonly evaluatedCubes: Readonly<Record<string, EvaluatedCube>>;
  evaluateContextFunction(cube: EvaluatedCube, fn: unknown, context: { securityContext: unknown }): unknown;
  cubeExists(name: string): boolean;
  isMeasure(path: string): boolean;
  isDimension(path: string): boolean;
}

export interface EvaluatedCube {
  readonly name: string;
  readonly isView?: boolean | undefined;
  readonly accessPolicy?: readonly AccessPolicy[] | undefined;
}

interface MemberList {
  readonly includesMembers: readonly string[];
  readonly excludesMembers: readonly string[];
}

export interface AccessPolicy {
  readonly group?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly conditions?: readonly { readonly if: unknown }[] | undefined;
  readonly memberLevel?: MemberList | undefined;
  readonly memberMasking?: MemberList | undefined;
  readonly rowLevel?:
    | { readonly allowAll?: boolean | undefined; readonly filters?: readonly PolicyFilter[] | undefined }
    | undefined;
}

export type PolicyFilter =
  | { readonly and: readonly PolicyFilter[] }
  | { readonly or: readonly PolicyFilter[] }
  | { readonly memberReference: string; readonly operator: string; readonly values?: unknown };

export interface EngineDimension {
  definition(): { readonly type?: string | undefined };
}

/** What the platform's dialect overrides or calls on the engine's query builder. */
interface EngineQuery {
  readonly timezone: string;
  readonly aliasNameToMember: Readonly<Record<string, string>>;
  dimensionSql(dimension: EngineDimension): string;
  buildSqlAndParams(): [string, (string | number | boolean | null)[]];
}

export type EngineQueryClass = new (compilers: Compilers, options: Readonly<Record<string, unknown>>) => EngineQuery;

export interface SchemaCompiler {
  prepareCompiler(
    repository: { localPath(): string; dataSchemaFiles(): Promise<readonly ModelFile[]> },
    options: Readonly<Record<string, unknown>>,
  ): Compilers;
  readonly BaseQuery: EngineQueryClass;
  readonly PreAggregations: new (...args: never[]) => object;
}

interface Transpilers {
  readonly transpileJs: (data: Source) => Transpiled;
  readonly transpileYaml: (data: Source) => Transpiled;
}

interface Source {
  readonly content: string;
}

interface Transpiled {
  readonly errors: readonly unknown[];
}

/**
 * Loads the engine once (about half a second) and points its process pool at this thread. `onFaulty` hears every source
 * that was transpiled with errors: the engine caches its output all the same, and would forget the errors the next time.
 */
export function loadSchemaCompiler(onFaulty: (content: string) => void): SchemaCompiler {
  const load = createRequire(import.meta.url);
  const entry = load.resolve('@cubejs-backend/schema-compiler');
  // The pool library of the engine's own tree, wherever the package manager put it.
  const loadNear = createRequire(entry);
  const pool = loadNear('workerpool') as {
    worker: (methods: Transpilers) => void;
    pool: () => { exec(method: keyof Transpilers, args: readonly [Source]): Promise<Transpiled>; terminate(): void };
  };
  const transpilerModule = loadNear.resolve('./compiler/transpilers/transpiler_worker');
  let methods: Transpilers | undefined;
  pool.worker = (registered) => {
    methods = registered;
  };
  pool.pool = () => ({
    exec: async (method, [data]) => {
      // The module keeps one error reporter and hands it out whole: a fresh copy a file keeps errors where they belong.
      // oxlint-disable-next-line typescript/no-dynamic-delete -- the only way to have CommonJS evaluate a module again
      delete loadNear.cache[transpilerModule];
      loadNear(transpilerModule);
      if (!methods) throw new Error('The engine registered no transpilers.');
      const result = methods[method](data);
      if (result.errors.length > 0) onFaulty(data.content);
      return result;
    },
    terminate: () => undefined,
  });
  return load(entry) as SchemaCompiler;
}

/** What the compiler asks of the native addon. */
export interface NativeStandIn {
  newJinjaEngine(options: { readonly filters?: Readonly<Record<string, unknown>> }): JinjaEngine;
  loadPythonContext(fileName: string): Promise<never>;
}
