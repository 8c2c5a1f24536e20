/** A name that `globals.py` gives to templates (docs/model-language.md#templates). Offsets are those of its text. */
export interface TemplateGlobal {
  readonly name: string;
  readonly kind: 'variable' | 'function' | 'filter';
  /** Parameters as written, without the parentheses; of functions and filters that are defined in the file. */
  readonly parameters?: string | undefined;
  /** The first line of the function's docstring. */
  readonly doc?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** The names that every template has without `globals.py`. */
export const BUILT_IN_GLOBALS: readonly Omit<TemplateGlobal, 'start' | 'end'>[] = [
  { name: 'COMPILE_CONTEXT', kind: 'variable', doc: 'Who the model is compiled for.' },
  { name: 'env_var', kind: 'function', parameters: 'name, default', doc: 'The value of an environment variable.' },
];

const REGISTERED = /^([ \t]*@)?(\w+)\.(add_)?(variable|function|filter)\b(?:\(\s*(["'])(\w+)\5)?/gm;

/** Returns the names that a Python file registers with a `TemplateContext`, without running it. */
export function templateGlobals(text: string): readonly TemplateGlobal[] {
  const contexts = new Set([...text.matchAll(/^(\w+)\s*=\s*(?:\w+\.)?TemplateContext\(/gm)].map(([, name]) => name));
  const found: TemplateGlobal[] = [];
  for (const match of text.matchAll(REGISTERED)) {
    const [whole, at, context, add, kind, , given] = match;
    // `@template.function('n')` is on a line of its own; `template.add_function('n', f)` is a call.
    if (!contexts.has(context) || (at === undefined) === (add === undefined)) continue;
    const end = match.index + whole.length;
    const definition = at === undefined ? calledFunction(text, end) : definitionAfter(text, end);
    const name = given ?? definition?.name;
    if (name === undefined) continue;
    const start = given === undefined ? (definition?.start ?? match.index) : end - 1 - given.length;
    found.push({
      name,
      kind: kind as TemplateGlobal['kind'],
      ...(kind === 'variable' || !definition ? {} : { parameters: definition.parameters, doc: definition.doc }),
      start,
      end: start + name.length,
    });
  }
  return found;
}

interface Definition {
  readonly name: string;
  readonly start: number;
  readonly parameters: string;
  readonly doc: string | undefined;
}

/** Returns the function below a decorator; other decorators may come between. */
function definitionAfter(text: string, from: number): Definition | undefined {
  return definition(
    /(?:^[ \t]*@[^\n]*\n)*^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)\s*\(([^)]*)\)/dmy,
    text,
    text.indexOf('\n', from) + 1,
  );
}

/** Returns the function that is passed by name: `add_function('n', name)`. */
function calledFunction(text: string, from: number): Definition | undefined {
  const [, name] = /^\s*,\s*(\w+)\s*\)/.exec(text.slice(from, from + 200)) ?? [];
  if (name === undefined) return undefined;
  return definition(new RegExp(String.raw`^(?:async[ \t]+)?def[ \t]+(${name})\s*\(([^)]*)\)`, 'dmg'), text, 0);
}

function definition(pattern: RegExp, text: string, from: number): Definition | undefined {
  pattern.lastIndex = from;
  const match = from === -1 ? null : pattern.exec(text);
  const [start] = match?.indices?.[1] ?? [];
  if (!match || start === undefined) return undefined;
  const body = text.slice(match.index + match[0].length, match.index + match[0].length + 1000);
  const doc = /^[^:\n]*:[ \t]*\n\s*(?:"""|''')\s*([^\n]*?)\s*(?:"""|'''|\n)/.exec(body)?.[1];
  const parameters = (match[2] ?? '').replaceAll(/\s+/g, ' ').trim();
  return { name: match[1] ?? '', start, parameters, doc: doc === '' ? undefined : doc };
}
