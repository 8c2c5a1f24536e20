import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { BLOCKS } from '#model/syntax/jinja-blocks.ts';
import { macrosOf, templateNamed, type TemplateSymbol, templateSymbolsAt } from '#model/templates/template-names.ts';
import type { Opened } from '../workspace.ts';
import { pathInModel } from './locations.ts';
import { FILTERS, LOOP, STATEMENTS, takesFilter, TESTS, type TemplateWord } from './template-words.ts';

/** Returns the completions in a template after `before`, beyond the names that `globals.py` defines. */
export function templateCompletion(
  opened: Opened,
  offset: number,
  before: string,
  isStatement: boolean,
): CompletionItem[] {
  if (isStatement && /^[-+]?\s*\w*$/.test(before)) return statements(opened, offset);
  if (takesFilter(before)) return FILTERS.map((word) => wordItem(word, CompletionItemKind.Operator, 'filter', '2'));
  if (/\bis\s+(?:not\s+)?\w*$/.test(before))
    return TESTS.map((word) => wordItem(word, CompletionItemKind.Operator, 'test', '2'));
  const [, path] = /\bfrom\s+["']([^"']+)["']\s+import\s+[\w\s,]*$/.exec(before) ?? [];
  if (path !== undefined) return macroItems(path, opened);
  const [, head] = /(\w+)\.\w*$/.exec(before) ?? [];
  if (head !== undefined) return attributes(head, opened, offset);
  // What a call or an entry of a list holds is not known.
  if (/[\])"']\s*\.\w*$/.test(before)) return [];
  return names(opened, offset);
}

/** Returns the templates that can be named if the cursor is in the quotes of a statement; `undefined` elsewhere. */
export function templatePaths(opened: Opened, before: string): CompletionItem[] | undefined {
  if (!/^[-+]?\s*(?:from|import|include)\s+["'][^"']*$/.test(before)) return undefined;
  return [...opened.root.index.files()].flatMap((file): CompletionItem[] => {
    if (file === opened.file || !file.path.endsWith('.jinja')) return [];
    const count = macrosOf(file).length;
    const sortText = `${count > 0 ? '1' : '2'}${file.path}`;
    return [{ label: pathInModel(file.path, opened), kind: CompletionItemKind.File, sortText }];
  });
}

function statements({ file }: Opened, offset: number): CompletionItem[] {
  const open: string[] = [];
  for (const { word, start } of file.jinja) {
    if (start >= offset) break;
    if (Object.hasOwn(BLOCKS, word)) open.push(word);
    else if (word.startsWith('end')) open.pop();
  }
  const last = open.at(-1);
  const end = last === undefined ? undefined : BLOCKS[last];
  return STATEMENTS.map((word) =>
    wordItem(word, CompletionItemKind.Keyword, 'statement', word.name === end ? '0' : '1'),
  );
}

function wordItem(
  { name, doc }: TemplateWord,
  kind: CompletionItemKind,
  detail: string,
  order: string,
): CompletionItem {
  return { label: name, kind, detail, documentation: doc, sortText: `${order}${name}` };
}

function attributes(head: string, opened: Opened, offset: number): CompletionItem[] {
  if (head === 'loop') return LOOP.map((word) => wordItem(word, CompletionItemKind.Property, 'of the loop', '1'));
  const imported = templateSymbolsAt(opened.file, offset).find(({ kind, name }) => kind === 'import' && name === head);
  return imported?.source ? macroItems(imported.source.path, opened) : [];
}

function macroItems(path: string, { root: { index } }: Opened): CompletionItem[] {
  const file = templateNamed(path, index);
  return file ? macrosOf(file).map((symbol) => symbolItem(symbol, '1')) : [];
}

function names({ file }: Opened, offset: number): CompletionItem[] {
  const seen = new Map<string, CompletionItem>();
  for (const symbol of templateSymbolsAt(file, offset)) {
    if (seen.has(symbol.name)) continue;
    seen.set(symbol.name, symbolItem(symbol, symbol.kind.endsWith('macro') || symbol.kind === 'import' ? '1' : '0'));
    if (symbol.kind === 'loop variable') seen.set('loop', LOOP_ITEM);
  }
  return [...seen.values()];
}

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
