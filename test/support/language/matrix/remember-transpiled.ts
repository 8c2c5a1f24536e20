import * as compiler from '@cubejs-backend/schema-compiler/dist/src/compiler/DataSchemaCompiler.js';

interface Reporter {
  error(...problem: readonly unknown[]): unknown;
  syntaxError(...problem: readonly unknown[]): unknown;
  inContext(context: unknown): Reporter;
}
interface Transpiled {
  readonly fileName: string;
  readonly content: string;
}
interface SchemaCompiler {
  transpileYamlFile: (this: unknown, file: Transpiled, reporter: Reporter, options: object) => Promise<Transpiled>;
}

/**
 * Makes the engine remember what files it transpiled without an error, for as long as the process lives. Its own cache is emptied
 * after each refused model, and nearly every mutant is refused. A file is always transpiled in the same way, because the engine
 * knows no cube then.
 */
export function rememberTranspiled(): void {
  rememberFiles(
    (compiler as unknown as { readonly DataSchemaCompiler: { readonly prototype: SchemaCompiler } }).DataSchemaCompiler,
  );
}

const MOST = 20_000;

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
