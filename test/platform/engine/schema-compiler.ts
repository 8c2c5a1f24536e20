import * as adapter from '@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js';
import * as preAggregations from '@cubejs-backend/schema-compiler/dist/src/adapter/PreAggregations.js';
import * as preparation from '@cubejs-backend/schema-compiler/dist/src/compiler/PrepareCompiler.js';
import '@cubejs-backend/schema-compiler/dist/src/compiler/transpilers/transpiler_worker.js';
import type { TemplateEngine } from '#language-server/engine/realm/templates.ts';
import type { CubeMeta, ModelFile } from './types.ts';

/**
 * The part of `@cubejs-backend/schema-compiler` that the platform uses, typed narrowly here, and made to run without its
 * native addon: Jinja comes from a WASM build, the SQL planner is the JavaScript one, and transpilation stays in the
 * realm instead of a process pool a compilation.
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

/** The engine, of which the bundle has the parts that need no machine. */
export const engine = { ...preparation, ...adapter, ...preAggregations } as unknown as SchemaCompiler;

/** What the compiler asks of the native addon. */
export interface NativeStandIn {
  newJinjaEngine(options: { readonly filters?: Readonly<Record<string, unknown>> }): TemplateEngine;
  loadPythonContext(fileName: string): Promise<never>;
}
