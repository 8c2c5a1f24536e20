import { createHash } from 'node:crypto';
import { normalizePath } from '#base/path.ts';
import { type TemplateEngine, templateEngine } from '#language-server/engine/realm/templates.ts';
import { type Compilers, engine, type NativeStandIn, type SchemaCompiler } from './schema-compiler.ts';
import type { CompileResult, CubeMeta, EngineError, ModelFile, SecurityContext } from './types.ts';

export interface GoodCompilation {
  readonly ok: true;
  readonly engine: SchemaCompiler;
  readonly compilers: Compilers;
  readonly meta: readonly CubeMeta[];
}

type Compilation = GoodCompilation | Extract<CompileResult, { ok: false }>;

interface Compilations {
  /** Compiles, or answers what the same files compiled to before. Never rejects for a wrong model. */
  get(files: readonly ModelFile[], securityContext?: SecurityContext): Promise<Compilation>;
}

/** How many models stay compiled: production and the active branches of a few deployments. */
const REMEMBERED = 12;

/** Compiles data models with caches shared between compilations, so that a second compile costs only what changed. */
export function createCompilations(): Compilations {
  const remembered = new Map<string, Compilation>();
  const caches = { compiledScriptCache: new Lru(), compiledYamlCache: new Lru(), compiledJinjaCache: new Lru() };

  return {
    get: async (files, securityContext) => {
      // Only a model that looks at the compile context compiles differently for different people.
      const contextual = files.some((file) => /COMPILE_CONTEXT/i.test(file.content));
      const context = contextual ? (securityContext ?? {}) : {};
      const key = hashOf(files, context);
      const known = remembered.get(key);
      if (known) {
        remembered.delete(key);
        remembered.set(key, known);
        return known;
      }
      // A Jinja cache entry holds rendered text, which depends on the context: not shared then.
      const compilation = await compile(
        files,
        context,
        contextual ? { ...caches, compiledJinjaCache: new Lru() } : caches,
      );
      remembered.set(key, compilation);
      const [oldest] = remembered.keys();
      if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      return compilation;
    },
  };
}

async function compile(
  files: readonly ModelFile[],
  securityContext: SecurityContext,
  caches: Readonly<Record<string, Lru>>,
): Promise<Compilation> {
  const paths = files.map(({ fileName, content }) => ({ fileName: normalizePath(fileName), content }));
  const root = modelRoot(paths);
  const sources = paths
    .filter((file) => file.fileName.startsWith(root))
    .map((file) => ({ fileName: file.fileName.slice(root.length), content: file.content }));
  const compilers = engine.prepareCompiler(
    { localPath: () => root, dataSchemaFiles: async () => sources },
    {
      ...caches,
      nativeInstance: nativeStandIn,
      compileContext: { securityContext },
      errorReport: { logger: () => undefined },
    },
  );
  try {
    await compilers.compiler.compile();
  } catch (error) {
    // The engine keeps the output of a faulty file and would forget its errors.
    for (const cache of Object.values(caches)) cache.clear();
    return failure(compilers, error, root);
  } finally {
    for (const each of templateEngines.splice(0)) each.free();
  }
  return { ok: true, engine, compilers, meta: compilers.metaTransformer.cubes.map((cube) => cube.config) };
}

/** Those of the compilation under way. */
const templateEngines: TemplateEngine[] = [];

const nativeStandIn: NativeStandIn = {
  newJinjaEngine: ({ filters }) => {
    const made = templateEngine(filters);
    templateEngines.push(made);
    return made;
  },
  loadPythonContext: async (fileName) => {
    throw new Error(
      `${fileName}: Python in a data model needs the hosted platform; the local one runs YAML, Jinja and JavaScript.`,
    );
  },
};

function failure(compilers: Compilers, thrown: unknown, root: string): Extract<CompileResult, { ok: false }> {
  const errorText = thrown instanceof Error ? thrown.message : String(thrown);
  const reported = compilers.compiler.errorsReporter?.getErrors() ?? [];
  const errors: EngineError[] = reported.map(({ message, fileName }) => ({
    message,
    ...(fileName === undefined ? {} : { fileName: root + fileName }),
  }));
  // A syntax error escapes the engine as an exception that no reporter has seen.
  return { ok: false, errors: errors.length > 0 ? errors : [{ message: errorText }], errorText };
}

/** The folder that the engine calls the model's root: names in the model and in errors are relative to it. */
function modelRoot(files: readonly ModelFile[]): string {
  return ['model/', 'schema/'].find((root) => files.some((file) => file.fileName.startsWith(root))) ?? '';
}

function hashOf(files: readonly ModelFile[], context: SecurityContext): string {
  const hash = createHash('sha1').update(JSON.stringify(context));
  for (const file of files) hash.update('\0').update(file.fileName).update('\0').update(file.content);
  return hash.digest('hex');
}

/** The cache interface that the engine expects, bounded. */
class Lru {
  readonly #entries = new Map<string, unknown>();

  clear(): void {
    this.#entries.clear();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): unknown {
    const value = this.#entries.get(key);
    if (this.#entries.delete(key)) this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: unknown): this {
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > 2000 && oldest !== undefined) this.#entries.delete(oldest);
    return this;
  }
}
