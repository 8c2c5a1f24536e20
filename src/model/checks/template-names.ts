import { append } from '#base/long-lists.ts';
import type { Problem, Severity } from '../codes.ts';
import type { ModelFile } from '../file.ts';
import type { ModelIndex } from '../index.ts';
import { nearestName } from '../suggest.ts';
import { BLOCKS } from '#model/syntax/jinja/blocks.ts';
import type { JinjaSpan } from '#model/syntax/jinja/span.ts';

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Names that the engine's templates have, including those of other versions. */
const FUNCTIONS = namesIn(
  'range dict debug namespace lipsum cycler joiner randrange env_var now caller super loop self varargs kwargs',
);
const FILTERS =
  namesIn(`abs attr batch bool capitalize center chain count d default dictsort e escape filesizeformat filter
  first float forceescape format groupby indent int items join keys last length lines list lower map max min pluralize
  pprint random reject rejectattr replace reverse round safe select selectattr slice sort split string striptags sum title
  tojson trim truncate unique upper urlencode urlize values wordcount wordwrap xmlattr zip`);
const TESTS =
  namesIn(`boolean callable containing defined divisibleby endingwith eq equalto escaped even false filter float
  ge greaterthan gt in integer iterable le lessthan lower lt mapping ne none not number odd safe sameas sequence
  startingwith string test true undefined upper`);

const KNOWN: Partial<Readonly<Record<Use['kind'], ReadonlySet<string>>>> = {
  function: FUNCTIONS,
  variable: new Set([...FUNCTIONS, 'COMPILE_CONTEXT']),
  filter: FILTERS,
  test: TESTS,
};
const NONE: ReadonlySet<string> = new Set();

/** A name used in a template tag; offsets are the file's. */
interface Use {
  readonly kind: 'function' | 'variable' | 'filter' | 'test' | 'file';
  readonly name: string;
  readonly start: number;
}

/**
 * Reports functions, variables, filters, tests and files used in templates that neither the engine, the file nor `globals.py`
 * defines. An error only where the engine certainly evaluates them; while the globals are unknown, nothing is reported.
 */
export function checkTemplateNames(file: ModelFile, index: ModelIndex): Problem[] {
  if (file.jinja.length === 0) return [];
  const declared = declaredIn(file);
  const problems: Problem[] = [];
  let depth = 0;
  for (const span of file.jinja) {
    const inner = file.text.slice(span.start + 2, span.end - 2);
    const isSure = depth === 0 && !/\b(?:if|and|or|ignore)\b/.test(inner.replace(/^[-+]?\s*if\b/, ''));
    if (span.word.startsWith('end')) depth--;
    if (span.kind !== 'comment')
      for (const use of usesIn(inner, span))
        append(
          problems,
          use.kind === 'file'
            ? checkFile(use, isSure, index)
            : checkName(use, isSure, use.kind === 'function' || use.kind === 'variable' ? declared : NONE, index),
        );
    if (span.kind === 'statement' && Object.hasOwn(BLOCKS, span.word)) depth++;
  }
  return problems;
}

function checkFile({ name, start }: Use, isSure: boolean, index: ModelIndex): Problem[] {
  if (!/\.(?:ya?ml|jinja)$/.test(name) || hasFile(index, name)) return [];
  const message = `The model has no file \`${name}\`: templates are named by their paths from the model's folder.`;
  return [{ code: 'unknown-reference', severity: severityOf(isSure), start, end: start + name.length, message }];
}

function checkName(
  { name, kind, start }: Use,
  isSure: boolean,
  own: ReadonlySet<string>,
  index: ModelIndex,
): Problem[] {
  const { templateGlobals } = index;
  const known = KNOWN[kind];
  if (!templateGlobals || !known || known.has(name) || own.has(name) || templateGlobals.names.includes(name)) return [];
  const end = start + name.length;
  const guess = nearestName(name, [...known, ...own, ...templateGlobals.names]);
  const hint = guess === undefined ? '' : ` Did you mean \`${guess}\`?`;
  const fix = guess === undefined ? undefined : { title: `Change to \`${guess}\``, start, end, text: guess };
  // Python can register names in ways that this extension cannot read.
  const severity = severityOf(isSure && !templateGlobals.isPython);
  const message = `Templates have no ${kind} \`${name}\`: neither the engine nor this file nor \`globals.py\` defines it.${hint}`;
  return [{ code: 'unknown-reference', severity, start, end, message, fix }];
}

function severityOf(isSure: boolean): Severity {
  return isSure ? 'error' : 'warning';
}

function hasFile(index: ModelIndex, name: string): boolean {
  const wanted = `/${name.replace(/^\.?\//, '')}`;
  for (const { path } of index.files()) if (`/${path}`.endsWith(wanted)) return true;
  return false;
}

const TEXT = /"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)/gs;
const USES: readonly (readonly [Use['kind'], RegExp])[] = [
  ['filter', /\|\s*(?<name>[a-z_]\w*)/gi],
  ['test', /\bis\s+(?:not\s+)?(?<name>[a-z_]\w*)/gi],
  ['function', /(?<![.\w]|\|\s*|\bis\s+|\bnot\s+|\bmacro\s+)(?<name>[a-z_]\w*)\s*\(/gi],
  // Only the use of an attribute fails: an unknown variable on its own renders as an empty text.
  ['variable', /(?<![.\w]|\|\s*|\bis\s+|\bis\s+not\s+)(?<name>[a-z_]\w*)(?=\.[a-z_]|\[)/gi],
];
const WORDS = namesIn(
  'and or not if else elif in is for set with call filter import from include extends as recursive',
);

/** Statements that name a file, and statements that declare names. */
const FILES = namesIn('include import from extends');
const DECLARING = namesIn('macro raw block');

function* usesIn(inner: string, { start, word }: JinjaSpan): Iterable<Use> {
  if (FILES.has(word)) yield* fileIn(inner, start + 2);
  if (FILES.has(word) || DECLARING.has(word)) return;
  const bare = inner.replaceAll(TEXT, (text) => ' '.repeat(text.length));
  for (const [kind, pattern] of USES)
    for (const match of bare.matchAll(pattern)) {
      const name = match.groups?.['name'] ?? '';
      if (!WORDS.has(name)) yield { kind, name, start: start + 2 + match.index + match[0].lastIndexOf(name) };
    }
}

function* fileIn(inner: string, start: number): Iterable<Use> {
  const [whole, name] = /^[-+]?\s*\w+\s+["']([^"']+)["']/.exec(inner) ?? [];
  if (whole !== undefined && name !== undefined)
    yield { kind: 'file', name, start: start + whole.length - 1 - name.length };
}

/** Returns every name that a template defines anywhere: macros, imports, variables, parameters. */
function declaredIn({ jinja, text }: ModelFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, word, start, end } of jinja) {
    if (kind !== 'statement') continue;
    const inner = text.slice(start + 2, end - 2).replaceAll(TEXT, ' ');
    for (const [name] of declaration(word, inner).matchAll(/[a-z_]\w*/gi)) names.add(name);
  }
  return names;
}

/** Returns the section of a statement that declares names. */
function declaration(word: string, inner: string): string {
  if (word === 'for') return inner.split(/\sin\b/)[0] ?? '';
  if (word === 'set') return inner.split('=')[0] ?? '';
  if (word === 'with') return inner.replaceAll(/=[^,]*/g, ' ');
  return word === 'macro' || word === 'import' || word === 'from' || word === 'call' ? inner : '';
}
