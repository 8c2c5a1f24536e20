import * as evaluation from '@cubejs-backend/schema-compiler/dist/src/compiler/CubeEvaluator.js';
import * as transformation from '@cubejs-backend/schema-compiler/dist/src/compiler/CubeToMetaTransformer.js';
import * as joining from '@cubejs-backend/schema-compiler/dist/src/compiler/JoinGraph.js';
import * as naming from '@cubejs-backend/schema-compiler/dist/src/compiler/CubeSymbols.js';
import * as yaml from '@cubejs-backend/schema-compiler/dist/src/compiler/YamlCompiler.js';
import * as refusing from '@cubejs-backend/schema-compiler/dist/src/compiler/UserError.js';
import { noteThrown } from './shims/thrown.ts';

const { UserError } = refusing as unknown as { readonly UserError: new () => Error };

type Method = (this: unknown, ...given: readonly unknown[]) => unknown;
type Owner = Readonly<Record<string, Method>>;
interface Definition {
  readonly name?: unknown;
  readonly fileName?: unknown;
  readonly content?: unknown;
}

/**
 * Makes the engine note which file or cube it was working on when something in it throws: it reports such an error by its message
 * alone, and ends. `isWritten`: whether the user has written this text of a file, and no template has made it.
 */
export function noteEntities(isWritten: (fileName: string, content: unknown) => boolean): void {
  const { prototype: symbols } = (naming as unknown as { readonly CubeSymbols: { readonly prototype: Owner } })
    .CubeSymbols;
  const { prototype: evaluator } = (evaluation as unknown as { readonly CubeEvaluator: { readonly prototype: Owner } })
    .CubeEvaluator;
  const { prototype: joins } = (joining as unknown as { readonly JoinGraph: { readonly prototype: Owner } }).JoinGraph;
  const { prototype: meta } = (
    transformation as unknown as { readonly CubeToMetaTransformer: { readonly prototype: Owner } }
  ).CubeToMetaTransformer;
  for (const [owner, names] of [
    [symbols, ['createCube', 'transform', 'evaluateDimensionKeys']],
    [evaluator, ['prepareCube']],
    [joins, ['buildJoinEdges']],
    [meta, ['transform']],
  ] as const)
    for (const name of names) around(owner, name, noteEntity);
  noteFiles(
    (yaml as unknown as { readonly YamlCompiler: { readonly prototype: Owner } }).YamlCompiler.prototype,
    isWritten,
  );
}

function noteEntity(self: unknown, error: unknown, given: unknown): void {
  // What the engine itself refuses, and an unknown name, say what they are about: what it was reading may only inherit that.
  if (error instanceof UserError || (error as Partial<Error> | undefined)?.name === 'ReferenceError') return;
  // Some methods get a definition, others its name.
  const { cubeDefinitions = {} } = self as { readonly cubeDefinitions?: Readonly<Record<string, Definition>> };
  const { name, fileName } = typeof given === 'string' ? (cubeDefinitions[given] ?? {}) : (given as Definition);
  if (typeof name === 'string' && typeof fileName === 'string') noteThrown(error, { fileName, entity: name });
}

/** Notes the files that cannot be read as YAML, with the line in a file that no template has made. */
function noteFiles(compiler: Owner, isWritten: (fileName: string, content: unknown) => boolean): void {
  const note = (_: unknown, error: unknown, file: unknown): void => {
    const { fileName, content } = file as Definition;
    const { mark } = Object(error) as { readonly mark?: { readonly line?: unknown } };
    if (typeof fileName !== 'string') return;
    const line = typeof mark?.line === 'number' && isWritten(fileName, content) ? mark.line + 1 : undefined;
    noteThrown(error, { fileName }, () => line);
  };
  for (const name of ['transpileYamlFile', 'compileYamlWithJinjaFile']) around(compiler, name, note);
}

function around(owner: Owner, name: string, note: (self: unknown, error: unknown, given: unknown) => void): void {
  const method = owner[name];
  if (!method) return;
  (owner as Record<string, Method>)[name] = function noting(...given) {
    const fail = (error: unknown): never => {
      note(this, error, given[0]);
      throw error;
    };
    try {
      const result = method.apply(this, [...given]);
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}
