import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { textIn } from '#model/locate.ts';
import { BLOCKS } from '#model/syntax/jinja/blocks.ts';
import { exportsOf, macrosOf, templateNamed, templateSymbolsAt } from '#model/templates/template-names.ts';
import type { TemplateSymbol } from '#model/templates/read-template-names.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { pathInModel } from '#language-server/ide/locations.ts';
import { attributesOf, calledMacro, parametersOf } from './template-calls.ts';
import { type TemplateCall, templatePosition } from './template-position.ts';
import { FILTERS, FUNCTIONS, LOOP, STATEMENTS, takesFilter, TESTS, type TemplateWord } from './template-words.ts';

/** Returns the completions in a template after `before`, beyond the names that `globals.py` defines. */
export function templateCompletion(
  opened: Opened,
  offset: number,
  before: string,
  isStatement: boolean,
): CompletionItem[] {
  if (isStatement && /^[-+]?\s*\w*$/.test(before)) return statements(opened, offset);
  if (takesFilter(before))
    return FILTERS.map((word, at) => wordItem(word, CompletionItemKind.Operator, 'filter', '2', at));
  if (/\bis\s+(?:not\s+)?\w*$/.test(before))
    return TESTS.map((word, at) => wordItem(word, CompletionItemKind.Operator, 'test', '2', at));
  const { keywords, call } = templatePosition(before, isStatement);
  const [, path] = /\bfrom\s+["']([^"']+)["']\s+import\s[\w\s,]*$/.exec(before) ?? [];
  if (path !== undefined && !keywords) return importItems(path, opened);
  const [, head] = /(?<!\w)(\w+)\.\w*$/.exec(before) ?? [];
  if (head !== undefined) return attributes(head, opened, offset);
  // What a call or an entry of a list holds is not known.
  if (/[\])"']\s*\.\w*$/.test(before)) return [];
  if (keywords) return keywords.map((word, at) => keywordItem(word, at));
  const functions = FUNCTIONS.map((word, at) => wordItem(word, CompletionItemKind.Function, 'function', '3', at));
  const constants = CONSTANTS.map((word, at) => keywordItem(word, at));
  return [...argumentItems(call, opened, offset), ...names(opened, offset), ...functions, ...constants];
}

/** Values that are words, and the word that negates one. */
const CONSTANTS = ['true', 'false', 'none', 'not'];

function keywordItem(label: string, at: number): CompletionItem {
  return { label, kind: CompletionItemKind.Keyword, detail: 'keyword', sortText: `4${String(at)}` };
}

/** Returns the parameters of the macro that is called around the cursor, which an argument may name: `type=`. */
function argumentItems(
  call: TemplateCall | undefined,
  { file, root: { index } }: Opened,
  offset: number,
): CompletionItem[] {
  const macro = call && call.current === undefined ? calledMacro(call.name, file, offset, index) : undefined;
  if (!call || !macro) return [];
  const isNamed = /^\w*\s*=/.test(textIn(file, offset, offset + 100));
  return parametersOf(macro).flatMap((parameter, at): CompletionItem[] => {
    const name = /^\w+/.exec(parameter)?.[0] ?? '';
    if (name === '' || at < call.argument - call.named.length || call.named.includes(name)) return [];
    const detail = `parameter of ${macro.name}`;
    return [
      {
        label: name,
        insertText: isNamed ? name : `${name}=`,
        kind: CompletionItemKind.Variable,
        detail,
        sortText: `1${String(at)}`,
      },
    ];
  });
}

/** Returns the templates that can be named if the cursor is in the quotes of a statement; `undefined` elsewhere. */
export function templatePaths(opened: Opened, before: string): CompletionItem[] | undefined {
  if (!/^[-+]?\s*(?:from|import|include|extends)\s+["'][^"']*$/.test(before)) return undefined;
  return [...opened.root.index.files()].flatMap((file): CompletionItem[] => {
    if (file === opened.file || !file.path.endsWith('.jinja')) return [];
    const count = macrosOf(file).length;
    const sortText = `${count > 0 ? '1' : '2'}${file.path}`;
    return [{ label: pathInModel(file.path, opened), kind: CompletionItemKind.File, sortText }];
  });
}

function statements({ file }: Opened, offset: number): CompletionItem[] {
  const open: string[] = [];
  for (const { word, end } of file.jinja) {
    if (end >= offset) break;
    if (Object.hasOwn(BLOCKS, word)) open.push(word);
    else if (word === BLOCKS[open.at(-1) ?? '']) open.pop();
  }
  const last = open.at(-1);
  const end = last === undefined ? undefined : BLOCKS[last];
  const isBranch = (name: string): boolean => name === 'else' || name === 'elif';
  return STATEMENTS.flatMap((word, at): CompletionItem[] => {
    const { name } = word;
    // A block is closed by its own word, and the template engine refuses any other.
    if (name !== end && name !== 'endset' && name.startsWith('end')) return [];
    if (isBranch(name) && last !== 'if' && !(last === 'for' && name === 'else')) return [];
    const order = name === end ? '0' : name === 'endset' ? '2' : '1';
    return [wordItem(word, CompletionItemKind.Keyword, 'statement', order, at)];
  });
}

function wordItem(
  { name, doc }: TemplateWord,
  kind: CompletionItemKind,
  detail: string,
  order: string,
  at: number,
): CompletionItem {
  return { label: name, kind, detail, documentation: doc, sortText: `${order}${String(at).padStart(2, '0')}` };
}

function attributes(head: string, opened: Opened, offset: number): CompletionItem[] {
  const known = templateSymbolsAt(opened.file, offset);
  if (head === 'loop' && known.some(({ kind }) => kind === 'loop variable'))
    return LOOP.map((word, at) => wordItem(word, CompletionItemKind.Property, 'of the loop', '1', at));
  const symbol = known.find(({ name }) => name === head);
  if (symbol?.kind === 'import') return symbol.source ? importItems(symbol.source.path, opened) : [];
  return symbol?.kind === 'variable' ? attributesOf(symbol).map(attributeItem) : [];
}

function attributeItem(label: string): CompletionItem {
  return { label, kind: CompletionItemKind.Property, detail: 'attribute', sortText: `1${label}` };
}

function importItems(path: string, { root: { index } }: Opened): CompletionItem[] {
  const file = templateNamed(path, index);
  return file ? exportsOf(file).map((symbol) => symbolItem(symbol, symbol.kind === 'macro' ? '1' : '2')) : [];
}

function names({ file }: Opened, offset: number): CompletionItem[] {
  const seen = new Map<string, CompletionItem>();
  if (isInMacro(file, offset)) seen.set('caller', CALLER_ITEM);
  for (const symbol of templateSymbolsAt(file, offset)) {
    if (seen.has(symbol.name)) continue;
    seen.set(symbol.name, symbolItem(symbol, symbol.kind.endsWith('macro') || symbol.kind === 'import' ? '1' : '0'));
    if (symbol.kind === 'loop variable') seen.set('loop', LOOP_ITEM);
  }
  return [...seen.values()];
}

function isInMacro({ jinja }: Opened['file'], offset: number): boolean {
  const last = jinja.findLast(({ word, end }) => end <= offset && (word === 'macro' || word === 'endmacro'));
  return last?.word === 'macro';
}

const CALLER_ITEM: CompletionItem = {
  label: 'caller',
  kind: CompletionItemKind.Function,
  detail: 'the body of the call block',
  sortText: '2caller',
};

const LOOP_ITEM: CompletionItem = {
  label: 'loop',
  kind: CompletionItemKind.Variable,
  detail: 'the loop around',
  sortText: '1loop',
};

function symbolItem({ name, kind, text }: TemplateSymbol, order: string): CompletionItem {
  const isMacro = kind === 'macro' || kind === 'imported macro';
  return {
    label: name,
    kind: isMacro ? CompletionItemKind.Method : CompletionItemKind.Variable,
    detail: kind === 'macro' ? `macro ${name}${text}` : kind,
    sortText: `${order}${name}`,
  };
}
