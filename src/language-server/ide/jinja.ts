import { markdownText } from './markdown-text.ts';
import {
  type CompletionItem,
  CompletionItemKind,
  type Hover,
  type LocationLink,
  MarkupKind,
} from 'vscode-languageserver';
import { BUILT_IN_GLOBALS, type TemplateGlobal } from '#model/globals.ts';
import { LineIndex } from '#base/line-index.ts';
import { rangeOf } from '../lines.ts';
import type { ModelRoot, Opened } from '../workspace.ts';

const KINDS: Readonly<Record<TemplateGlobal['kind'], CompletionItemKind>> = {
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  filter: CompletionItemKind.Operator,
};

/** What can be written inside `{{ … }}` and `{% … %}`; undefined outside of them. */
export function jinjaCompletion(opened: Opened, offset: number): CompletionItem[] | undefined {
  const before = templateBefore(opened, offset);
  if (before === undefined) return undefined;
  // Behind a dot stand attributes of Python values, which are unknown here.
  if (/\.\w*$/.test(before)) return [];
  const isFilter = /\|\s*\w*$/.test(before);
  const names = globalsOf(opened.root).filter(({ kind }) => (kind === 'filter') === isFilter);
  const items = names.map((global) => ({
    label: global.name,
    kind: KINDS[global.kind],
    detail: signature(global),
    ...(global.doc === undefined ? {} : { documentation: global.doc }),
  }));
  return isFilter ? items : [...items, ...macros(opened)];
}

/** The global under the cursor in a template. */
export function jinjaHover({ file, root, positions }: Opened, offset: number): Hover | null {
  const word = templateWord(file, offset);
  const global = word && globalsOf(root).find(({ name }) => name === word.text);
  if (!global) return null;
  const head = `**${global.name}** · ${global.kind} of templates`;
  const isOwn = 'start' in global;
  const doc = isOwn ? markdownText(global.doc ?? '') : (global.doc ?? '');
  const lines = [head, `\`${signature(global)}\``, doc].filter((line) => line !== '');
  const source = isOwn ? ['Defined in globals.py'] : [];
  return {
    contents: { kind: MarkupKind.Markdown, value: [...lines, ...source].join('\n\n') },
    range: rangeOf(positions, word.start, word.end),
  };
}

/** Where `globals.py` registers the name under the cursor. */
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

/** The text of the template part that the cursor stands in, up to the cursor; a part that is being typed has no end yet. */
function templateBefore({ file }: Opened, offset: number): string | undefined {
  const before = file.text.slice(Math.max(0, offset - 500), offset);
  const open = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (open === -1) return undefined;
  const inside = before.slice(open + 2);
  return /[}%]\}/.test(inside) || (inside.includes('\n') && !isInSpan(file, offset)) ? undefined : inside;
}

function isInSpan({ jinja }: Opened['file'], offset: number): boolean {
  return jinja.some(({ start, end, kind }) => kind !== 'comment' && start < offset && offset < end);
}

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The word under the cursor, when it stands in a template part. */
export function templateWord(file: Opened['file'], offset: number): Word | undefined {
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

/** Macros of this template and of those of the model. */
function macros({ file, root }: Opened): CompletionItem[] {
  const items = new Map<string, CompletionItem>();
  for (const { jinja, text } of [file, ...root.index.files()])
    for (const { word, start, end } of jinja) {
      const match = word === 'macro' ? /macro\s+(\w+)\s*\(([^)]*)/.exec(text.slice(start, end)) : null;
      const [, name, parameters = ''] = match ?? [];
      if (name !== undefined)
        items.set(name, { label: name, kind: CompletionItemKind.Method, detail: `macro ${name}(${parameters})` });
    }
  return [...items.values()];
}
