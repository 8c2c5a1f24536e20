import * as validation from '@cubejs-backend/schema-compiler/dist/src/compiler/CubeValidator.js';
import * as preparation from '@cubejs-backend/schema-compiler/dist/src/compiler/PrepareCompiler.js';
import * as yaml from '@cubejs-backend/schema-compiler/dist/src/compiler/YamlCompiler.js';
import '@cubejs-backend/schema-compiler/dist/src/compiler/transpilers/transpiler_worker.js';
import { precise, type ValidationDetail } from './details.ts';
import { rememberExpressions } from './remember-expressions.ts';
import { noteEntities } from './note-entities.ts';
import { forgetThrown, messageOf, thrownErrors } from './shims/thrown.ts';
import { forgetScripts } from './shims/workerpool.ts';
import type { EngineError, EngineFile } from '../messages.ts';
import { type TemplateEngine, templateEngine } from './templates.ts';

/** The functions of the engine that are used here, with narrow types. */
interface Preparation {
  prepareCompiler(
    repository: { localPath(): string; dataSchemaFiles(): Promise<readonly EngineFile[]> },
    options: Readonly<Record<string, unknown>>,
  ): Compilers;
}
/** A model that is compiled, or about to be. */
export interface Compilers {
  readonly compiler: {
    compile(): Promise<unknown>;
    readonly errorsReporter?: { getErrors(): readonly EngineError[] };
  };
  readonly cubeEvaluator: {
    preAggregationsForCube(cube: string): Readonly<Record<string, { readonly type: string }>>;
    isInstanceOfType(kind: 'segments', member: string): boolean;
  };
}
interface Reporter {
  error(message: unknown, ...more: readonly unknown[]): void;
}
interface Validator {
  validate: (
    this: unknown,
    cube: { readonly name: string },
    reporter: Reporter,
  ) => { readonly error?: { readonly details: readonly ValidationDetail[] } };
}
interface Validation {
  readonly CubeValidator: { readonly prototype: Validator };
}

/** Maps the validator's own message to the precise ones behind it, for the current compilation. */
let expanded = new Map<string, readonly string[]>();
keepDetails((validation as unknown as Validation).CubeValidator.prototype);
rememberExpressions(
  (yaml as unknown as { readonly YamlCompiler: Parameters<typeof rememberExpressions>[0] }).YamlCompiler,
);

let written: ReadonlyMap<string, string> = new Map();
noteEntities((fileName, content) => written.get(fileName) === content);

/** Sources that were transpiled before are not transpiled again. */
const caches = {
  compiledScriptCache: new Map<string, unknown>(),
  compiledYamlCache: new Map<string, unknown>(),
};
const MOST_CACHED = 4000;

/** Resolves to the engine's errors in a model of YAML and JavaScript files; none if it accepts the model. */
export async function compile(files: readonly EngineFile[]): Promise<readonly EngineError[]> {
  return (await compileModel(files)).errors;
}

/** Resolves to the compiled model and the engine's errors in it. */
export async function compileModel(
  files: readonly EngineFile[],
): Promise<{ readonly compilers: Compilers; readonly errors: readonly EngineError[] }> {
  const compilers = prepare(files);
  return { compilers, errors: await errorsOf(compilers) };
}

function prepare(files: readonly EngineFile[]): Compilers {
  expanded = new Map();
  written = new Map(files.map(({ fileName, content }) => [fileName, content]));
  forgetThrown();
  forgetScripts();
  for (const cache of Object.values(caches)) if (cache.size > MOST_CACHED) cache.clear();
  return (preparation as unknown as Preparation).prepareCompiler(
    { localPath: () => '', dataSchemaFiles: async () => files },
    {
      ...caches,
      // The output of a template depends on the files that it includes, which the engine's key does not contain.
      compiledJinjaCache: new Map<string, unknown>(),
      nativeInstance: standIn,
      compileContext: { securityContext: {} },
      errorReport: { logger: () => undefined },
    },
  );
}

async function errorsOf({ compiler }: Compilers): Promise<readonly EngineError[]> {
  try {
    await compiler.compile();
    return [];
  } catch (error) {
    // A refused model is transpiled again: the engine caches the output of a faulty file without its errors.
    for (const cache of Object.values(caches)) cache.clear();
    const reported = compiler.errorsReporter?.getErrors() ?? [];
    // The engine ends with the first error that it does not expect, whatever else it has reported or met.
    const met = [...thrownErrors().keys()].filter((each) => !reported.some(({ message }) => message === each));
    const all = [...reported, ...met.map((message) => ({ message }))];
    const found = all.length > 0 ? all.flatMap(expand) : expand({ message: messageOf(error) });
    // After some errors, the engine continues and fails with errors of its own.
    const others = found.filter(
      ({ message, isThrown }) => isThrown === true || !message.startsWith('Cannot read properties of'),
    );
    return others.length > 0 ? others : found;
  } finally {
    for (const engine of templateEngines.splice(0)) engine.free();
  }
}

/** The template engines of the current compilation. */
const templateEngines: TemplateEngine[] = [];

/** Replaces the engine's native modules. Python runs only on the platform: models with Python are not sent here. */
const standIn = {
  newJinjaEngine: ({ filters }: { readonly filters?: Readonly<Record<string, unknown>> }): TemplateEngine => {
    const engine = templateEngine(filters);
    templateEngines.push(engine);
    return engine;
  },
  loadPythonContext: async () => {
    throw new Error('Python is not checked here.');
  },
};

function expand({ message, fileName }: EngineError): readonly EngineError[] {
  const thrown = thrownErrors().get(message);
  if (thrown) return thrown.map((at) => ({ message, ...at, isThrown: at.entity === undefined }));
  return (expanded.get(message) ?? [message]).map((each) => ({ message: each, fileName }));
}

/** Makes the validator keep its details, which have paths: it joins all errors of a cube into one text. */
function keepDetails(validator: Validator): void {
  const { validate } = validator;
  validator.validate = function validateWithDetails(cube, reporter) {
    const heard: string[] = [];
    const listening: Reporter = Object.assign(Object.create(reporter) as Reporter, {
      error: (message: unknown, ...more: readonly unknown[]) => {
        if (typeof message === 'string') heard.push(message);
        reporter.error(message, ...more);
      },
    });
    const result = validate.call(this, cube, listening);
    const last = heard.at(-1);
    if (result.error && last !== undefined) {
      const messages = result.error.details.map((detail) => `${cube.name} cube: ${precise(detail)}`);
      expanded.set(`${cube.name} cube: ${last}`, [...new Set(messages)]);
    }
    return result;
  };
}
