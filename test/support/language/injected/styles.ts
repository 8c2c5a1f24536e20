import { type Document, isCollection, isPair, isScalar, parseDocument, Scalar, visit } from 'yaml';
import { toScript } from '../to-script.ts';
import type { ModelTexts } from './run-mistakes.ts';
import { SCRIPT_IDIOMS } from './script-idioms.ts';

/** Ways in which the same model can be written. A style leaves files alone that it cannot rewrite, such as templates. */
export const STYLES: Readonly<Record<string, (model: ModelTexts) => ModelTexts>> = {
  'with Windows line breaks': eachText((text) => text.replaceAll('\n', '\r\n')),
  'with a byte order mark': eachText((text) => `\uFEFF${text}`),
  'with an end of the document and no last line break': eachYaml((text) => `---\n${text.trimEnd()}`),
  'with tabs behind values': eachYaml((text) => text.replaceAll(/^( *(?:- )?[\w.]+: [^'"|>{[#\n]+)$/gm, '$1\t')),
  'with comments everywhere': eachDocument((document) => {
    visit(document, {
      Pair: (_, { key }) => void (isScalar(key) && (key.commentBefore = ' A note: {x} "y\' [z')),
    });
  }),
  'with comments behind values': eachYaml((text) =>
    text.replaceAll(/^( *(?:- )?[\w.]+: (?:\w[^'"|>{[#\n]*|"[^"\n]*"))$/gm, '$1 # {x}: "y'),
  ),
  'in flow style': eachDocument((document) => {
    visit(document, {
      Collection: (_, node, path) => void (path.filter((each) => isCollection(each)).length > 3 && (node.flow = true)),
    });
  }),
  'in flow style from the top': eachDocument((document) => {
    visit(document, {
      Collection: (_, node, path) => void (path.some((each) => isPair(each)) && (node.flow = true)),
    });
  }),
  'with its keys in the opposite order': eachDocument((document) => {
    visit(document, { Map: (_, { items }) => void items.reverse() });
  }),
  'with double quotes': eachDocument((document) => quote(document, Scalar.QUOTE_DOUBLE)),
  'with single quotes': eachDocument((document) => quote(document, Scalar.QUOTE_SINGLE)),
  'with folded texts': eachDocument((document) => {
    visit(document, {
      Pair: (_, { key, value }) => {
        if (isScalar(key) && String(key.value).endsWith('sql') && isScalar(value)) value.type = Scalar.BLOCK_FOLDED;
      },
    });
  }),
  'with quoted keys': eachDocument((document) => {
    visit(document, { Pair: (_, { key }) => void (isScalar(key) && (key.type = Scalar.QUOTE_DOUBLE)) });
  }),
  'with aliases': eachDocument((document) => {
    const seen = new Map<string, Scalar>();
    visit(document, {
      Scalar: (place, node, path) => {
        if (place === 'key' || isName(path.at(-1)) || String(node.value).length < 4) return undefined;
        const first = seen.get(JSON.stringify(node.value));
        if (first) return document.createAlias(first, first.anchor ?? `a${seen.size}`);
        seen.set(JSON.stringify(node.value), node);
        return undefined;
      },
    });
  }),
  'with deep indentation': eachDocument(() => undefined, { indent: 5 }),
  'with lists that are not indented': eachDocument(() => undefined, { indentSeq: false }),
  'with keys in camel case': eachYaml((text) =>
    text.replaceAll(/^( +(?:- )?)(\w+)(?=:)/gm, (_, before: string, key: string) => before + camel(key)),
  ),
  'with capital letters at keys that the engine converts': eachDocument((document) => {
    visit(document, {
      Pair: (_, { key }, path) => {
        const keys = path.flatMap((each) => (isPair(each) && isScalar(each.key) ? [String(each.key.value)] : []));
        if (!isScalar(key) || key.value === 'name' || !CONVERTED.has(keys[1] ?? '') || keys.includes('meta')) return;
        key.value = `${String(key.value).charAt(0).toUpperCase()}${String(key.value).slice(1)}`;
        key.source = undefined as unknown as string;
      },
    });
  }),
  'as a script': asScript((script) => script),
  ...Object.fromEntries(
    Object.entries(SCRIPT_IDIOMS).map(([name, rewrite]) => [`as a script ${name}`, asScript(rewrite)]),
  ),
};

function asScript(rewrite: (script: string) => string): Texts {
  return (model) =>
    Object.fromEntries(
      Object.entries(model).map(([path, text]) => {
        const script = isPlainYaml(path, text) ? toScript(path, text) : undefined;
        return script === undefined ? [path, text] : [`${path}.js`, inLines(rewrite(script))];
      }),
    );
}

/** The lists of a cube or view in whose items the engine converts keys. */
const CONVERTED = new Set(['measures', 'dimensions', 'pre_aggregations', 'cubes', 'access_policy', 'folders']);

/** Yields each model in each style that changes it, by the name of both. */
export function* inEachStyle(models: ReadonlyMap<string, ModelTexts>): Iterable<readonly [string, ModelTexts]> {
  for (const [name, model] of models)
    for (const [style, rewrite] of Object.entries(STYLES)) {
      const rewritten = rewrite(model);
      if (JSON.stringify(rewritten) !== JSON.stringify(model)) yield [`${name} ${style}:`, rewritten];
    }
}

type Texts = (model: ModelTexts) => ModelTexts;

function eachText(change: (text: string) => string): Texts {
  return (model) => Object.fromEntries(Object.entries(model).map(([path, text]) => [path, change(text)]));
}

function eachYaml(change: (text: string) => string): Texts {
  return (model) =>
    Object.fromEntries(
      Object.entries(model).map(([path, text]) => [path, isPlainYaml(path, text) ? change(text) : text]),
    );
}

function eachDocument(
  change: (document: Document) => void,
  options: { indent?: number; indentSeq?: boolean } = {},
): Texts {
  return eachYaml((text) => {
    const document = parseDocument(text);
    if (document.errors.length > 0) return text;
    change(document);
    return document.toString({ lineWidth: 0, ...options });
  });
}

function isPlainYaml(path: string, text: string): boolean {
  return /\.ya?ml$/.test(path) && !/\{[{%]|[%}]\}/.test(text);
}

function quote(document: Document, type: Scalar.Type): void {
  visit(document, {
    Scalar: (place, node) => void (place !== 'key' && typeof node.value === 'string' && (node.type = type)),
  });
}

/** Checks for the pair of a name, which an alias would hide from readers. */
function isName(node: unknown): boolean {
  return isPair(node) && isScalar(node.key) && node.key.value === 'name';
}

function camel(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Puts each key of a script on a line of its own, where mistakes are made. */
function inLines(script: string): string {
  return script.replaceAll(/([{,]) (?=(?:\w+|"[^"]*"): )/g, '$1\n').replaceAll(/ \}(?=[,}\s)]|$)/g, ',\n}');
}
