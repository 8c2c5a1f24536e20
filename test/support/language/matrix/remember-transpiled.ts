import * as compiler from '@cubejs-backend/schema-compiler/dist/src/compiler/DataSchemaCompiler.js';
import * as yaml from '@cubejs-backend/schema-compiler/dist/src/compiler/YamlCompiler.js';

interface Reporter {
  error(...problem: readonly unknown[]): unknown;
  syntaxError(...problem: readonly unknown[]): unknown;
  inContext(context: unknown): Reporter;
}
interface Transpiled {
  readonly fileName: string;
  readonly content: string;
}
interface YamlCompiler {
  parsePythonAndTranspileToJs: (this: unknown, code: unknown, reporter: Reporter) => object;
}
interface SchemaCompiler {
  transpileYamlFile: (this: unknown, file: Transpiled, reporter: Reporter, options: object) => Promise<Transpiled>;
}

/**
 * Makes the engine remember what it transpiled without an error, for as long as the process lives. Its own cache is emptied after
 * each refused model, and nearly every mutant is refused. An expression and a file are always transpiled in the same way, because
 * the engine knows no cube then.
 */
export function rememberTranspiled(): void {
  rememberExpressions(
    (yaml as unknown as { readonly YamlCompiler: { readonly prototype: YamlCompiler } }).YamlCompiler,
  );
  rememberFiles(
    (compiler as unknown as { readonly DataSchemaCompiler: { readonly prototype: SchemaCompiler } }).DataSchemaCompiler,
  );
}

const MOST = 20_000;

function rememberExpressions({ prototype }: { readonly prototype: YamlCompiler }): void {
  const { parsePythonAndTranspileToJs } = prototype;
  const known = new Map<unknown, object>();
  prototype.parsePythonAndTranspileToJs = function remembered(code, reporter) {
    const before = known.get(code);
    // The engine changes the tree that it gets.
    if (before) return structuredClone(before);
    const listener = listenTo(reporter);
    const tree = parsePythonAndTranspileToJs.call(this, code, listener.reporter);
    if (known.size > MOST) known.clear();
    if (typeof code === 'string' && !listener.hasError()) known.set(code, structuredClone(tree));
    return tree;
  };
}

function rememberFiles({ prototype }: { readonly prototype: SchemaCompiler }): void {
  const { transpileYamlFile } = prototype;
  const known = new Map<string, string>();
  prototype.transpileYamlFile = async function remembered(file, reporter, options) {
    const before = known.get(file.content);
    if (before !== undefined) return { ...file, content: before };
    const listener = listenTo(reporter);
    const transpiled = await transpileYamlFile.call(this, file, listener.reporter, options);
    if (known.size > MOST) known.clear();
    if (!listener.hasError()) known.set(file.content, transpiled.content);
    return transpiled;
  };
}

/** Notices every error. The reporter itself lists only the first of those with the same text, also of an earlier transpilation. */
function listenTo(reporter: Reporter): { readonly reporter: Reporter; readonly hasError: () => boolean } {
  let hasError = false;
  const listening = (inner: Reporter): Reporter => {
    const outer = Object.create(inner) as Reporter;
    outer.error = (...problem) => {
      hasError = true;
      return inner.error(...problem);
    };
    outer.syntaxError = (...problem) => {
      hasError = true;
      return inner.syntaxError(...problem);
    };
    outer.inContext = (context) => listening(inner.inContext(context));
    return outer;
  };
  return { reporter: listening(reporter), hasError: () => hasError };
}
