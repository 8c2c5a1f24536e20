import { escapeMarkdown } from '#language-server/ide/markdown-text.ts';
import {
  type CompletionItem,
  CompletionItemKind,
  type Hover,
  type LocationLink,
  MarkupKind,
} from 'vscode-languageserver';
import { BUILT_IN_GLOBALS, type TemplateGlobal } from '#model/project/globals.ts';
import { textIn } from '#model/locate.ts';
import { LineIndex } from '#base/line-index.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { ModelRoot, Opened } from '#language-server/workspace/workspace.ts';
import { templateCompletion, templatePaths } from './template-completion.ts';
import { templatePosition } from './template-position.ts';
import { FILTERS, LOOP, STATEMENTS, takesFilter, TESTS } from './template-words.ts';

const KINDS: Readonly<Record<TemplateGlobal['kind'], CompletionItemKind>> = {
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  filter: CompletionItemKind.Operator,
};

/** Returns the completions inside `{{ … }}` and `{% … %}`; `undefined` outside of them. */
export function jinjaCompletion(opened: Opened, offset: number): CompletionItem[] | undefined {
  const inside = templateBefore(opened, offset);
  if (inside === undefined) return undefined;
  const { before, isStatement } = inside;
  const paths = templatePaths(opened, before);
  if (paths) return paths;
  const items = templateCompletion(opened, offset, before, isStatement);
  const isFilter = takesFilter(before);
  // Elsewhere only a keyword, a macro of an import or an attribute is possible.
  const takesNames =
    isFilter ||
    !(
      /\.\w*$|\bis\s+(?:not\s+)?\w*$|\bimport\s[\w\s,]*$/.test(before) ||
      (isStatement && /^[-+]?\s*\w*$/.test(before)) ||
      templatePosition(before, isStatement).keywords
    );
  if (!takesNames) return items;
  const globals = globalsOf(opened.root).filter(({ kind }) => (kind === 'filter') === isFilter);
  return [
    ...globals.map((global) => ({
      label: global.name,
      kind: KINDS[global.kind],
      detail: signature(global),
      sortText: `1${global.name}`,
      ...(global.doc === undefined ? {} : { documentation: global.doc }),
    })),
    ...items,
  ];
}

/** Describes the global under the cursor in a template. */
export function jinjaHover({ file, root, positions }: Opened, offset: number): Hover | null {
  const word = templateWord(file, offset);
  const global = word && globalsOf(root).find(({ name }) => name === word.text);
  if (word && !global) return wordHover(word, file, positions);
  if (!global) return null;
  const head = `**${global.name}** · ${global.kind} of templates`;
  const isOwn = 'start' in global;
  const doc = isOwn ? escapeMarkdown(global.doc ?? '') : (global.doc ?? '');
  const lines = [head, `\`${signature(global)}\``, doc].filter((line) => line !== '');
  const source = isOwn ? ['Defined in globals.py'] : [];
  return {
    contents: { kind: MarkupKind.Markdown, value: [...lines, ...source].join('\n\n') },
    range: rangeOf(positions, word.start, word.end),
  };
}

/** Describes a filter, a test, what a loop knows of itself, or the first word of a statement. */
function wordHover(
  { text, start, end }: TemplateWord,
  file: Opened['file'],
  positions: Opened['positions'],
): Hover | null {
  const known = wordsBehind(file.text.slice(Math.max(0, start - 50), start));
  const found = known?.words.find(({ name }) => name === text);
  if (!known || !found) return null;
  const value = `**${text}** · ${known.kind}\n\n${found.doc}`;
  return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOf(positions, start, end) };
}

/** Returns the words of templates that can follow a text. */
function wordsBehind(before: string): { readonly kind: string; readonly words: typeof FILTERS } | undefined {
  if (takesFilter(before.replace(/^[\s\S]*\{[{%]/, ''))) return { kind: 'filter of templates', words: FILTERS };
  if (/\bis\s+(?:not\s+)?$/.test(before)) return { kind: 'test of templates', words: TESTS };
  if (/(?<![\w.])loop\.$/.test(before)) return { kind: 'property of the loop', words: LOOP };
  return /\{%[-+]?\s*$/.test(before) ? { kind: 'statement of templates', words: STATEMENTS } : undefined;
}

/** Returns the location where `globals.py` registers the name under the cursor. */
export function globalDefinition({ file, root, positions }: Opened, offset: number): LocationLink[] {
  const word = templateWord(file, offset);
  const global = word && root.globals?.names.find(({ name }) => name === word.text);
  if (!global || !root.globals) return [];
  const range = rangeOf(new LineIndex(root.globals.text), global.start, global.end);
  return [
    {
      originSelectionRange: rangeOf(positions, word.start, word.end),
      targetUri: root.globals.uri,
      targetRange: range,
      targetSelectionRange: range,
    },
  ];
}

interface TemplateBefore {
  readonly before: string;
  readonly isStatement: boolean;
}

/**
 * Returns the text of the template expression or statement around the cursor, up to the cursor; while the user types it, it has
 * no end yet.
 */
export function templateBefore({ file }: Opened, offset: number): TemplateBefore | undefined {
  const text = textIn(file, Math.max(0, offset - 500), offset);
  const open = Math.max(text.lastIndexOf('{{'), text.lastIndexOf('{%'));
  if (open === -1) return undefined;
  const before = text.slice(open + 2);
  const isOutside = /[}%]\}/.test(before) || (before.includes('\n') && !isInSpan(file, offset));
  return isOutside ? undefined : { before, isStatement: text[open + 1] === '%' };
}

function isInSpan({ jinja }: Opened['file'], offset: number): boolean {
  return jinja.some(({ start, end, kind }) => kind !== 'comment' && start < offset && offset < end);
}

export interface TemplateWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the word under the cursor, if it is in a template expression or statement. */
export function templateWord(file: Opened['file'], offset: number): TemplateWord | undefined {
  if (!isInSpan(file, offset)) return undefined;
  let start = offset;
  let end = offset;
  while (/\w/.test(file.text[start - 1] ?? '')) start--;
  while (/\w/.test(file.text[end] ?? '')) end++;
  return start === end ? undefined : { text: file.text.slice(start, end), start, end };
}

type Global = TemplateGlobal | (typeof BUILT_IN_GLOBALS)[number];

function globalsOf({ globals }: ModelRoot): readonly Global[] {
  return [...(globals?.names ?? []), ...BUILT_IN_GLOBALS];
}

function signature({ name, kind, parameters }: Omit<TemplateGlobal, 'start' | 'end'>): string {
  if (kind === 'variable') return name;
  if (kind === 'filter') return `value | ${name}`;
  return `${name}(${parameters ?? '…'})`;
}
