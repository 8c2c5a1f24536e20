interface Reporter {
  error(message: unknown): unknown;
}
interface YamlCompiler {
  readonly prototype: { parsePythonAndTranspileToJs: (this: unknown, code: unknown, reporter: Reporter) => object };
}

/** How many expressions are remembered; a tree takes one or two kilobytes. */
const MOST = 10_000;
/** The longest expression to remember, in characters. */
const LONGEST = 2000;

/**
 * Makes the compiler of YAML files remember what it made of expressions, for as long as the realm lives: every text of a model is
 * parsed as one of Python, which is a third of the time of a check. The engine's own caches keep whole files, and are emptied after
 * each refused model. An expression always becomes the same tree, because the engine knows no cube when it parses. Refused ones
 * are not remembered, so that they are reported each time.
 */
export function rememberExpressions({ prototype }: YamlCompiler): void {
  const { parsePythonAndTranspileToJs } = prototype;
  const known = new Map<string, object>();
  prototype.parsePythonAndTranspileToJs = function remembered(code, reporter) {
    if (typeof code !== 'string' || code.length > LONGEST)
      return parsePythonAndTranspileToJs.call(this, code, reporter);
    const before = known.get(code);
    // The engine changes the tree that it gets.
    if (before !== undefined) return copyOf(before) as object;
    let isRefused = false;
    const error = (message: unknown): void => {
      isRefused = true;
      reporter.error(message);
    };
    const tree = parsePythonAndTranspileToJs.call(this, code, { error });
    if (known.size >= MOST) known.clear();
    if (!isRefused) known.set(code, copyOf(tree) as object);
    return tree;
  };
}

/** Copies a tree of plain objects and lists. The realm has no `structuredClone`. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) copy[key] = copyOf(each);
  return copy;
}
