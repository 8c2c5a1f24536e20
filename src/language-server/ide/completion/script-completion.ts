import { type CompletionItem, CompletionItemKind, InsertTextFormat, type Range } from 'vscode-languageserver';
import { camelize } from '#model/language/camelize.ts';
import { choiceOfKeys } from '#model/language/key-choice.ts';
import { language } from '#model/language/language.ts';
import type { Key, ShapeName, Type } from '#model/language/types.ts';
import type { Cursor } from '#model/cursor/cursor.ts';
import { scriptCodeAround, type ScriptCursor, scriptCursorAt, scriptValueAround } from '#model/cursor/script-cursor.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { isBeforeValue } from './placed-items.ts';
import { rankItems, securityItems } from './rank-items.ts';
import { allEntities, heads, isItself, isTableSql, TABLE_TAILS, tableHeads, tails } from './candidates.ts';
import { keySummary } from '#language-server/ide/hover.ts';
import { symbolAt } from '#language-server/ide/locations.ts';
import { heldFor, ownNames } from './script-names.ts';
import { argumentSnippets, definitionSnippets, memberSnippets } from './script-snippets.ts';
import type { ValueContext } from './value-context.ts';

/**
 * Returns the completions in a JavaScript model: members after `${` and after dots, keys of a definition and their values, new
 * definitions. `values`: the values that a type allows, as in YAML.
 */
export function scriptCompletion(
  opened: Opened,
  offset: number,
  values: (type: Type, context: ValueContext) => CompletionItem[],
): CompletionItem[] {
  const { text } = opened.file;
  const cursor = scriptCursorAt(text, offset);
  const path = pathBefore(text, offset);
  const isAtValue = !(cursor?.kind === 'value' && cursor.quoted) && isBesideValue(text, offset);
  // Behind a dot, a name is missing whatever follows.
  if (isAtValue && (path ? path.length === 0 : cursor?.kind === 'value')) return [];
  if (path) {
    const owner = ownerAt(opened, offset);
    return owner ? inExpression(opened, offset, path, owner) : [];
  }
  return itemsAt(cursor, opened, offset, values);
}

/** Returns the completions at a cursor outside of `${…}`. */
function itemsAt(
  cursor: ScriptCursor | undefined,
  opened: Opened,
  offset: number,
  values: (type: Type, context: ValueContext) => CompletionItem[],
): CompletionItem[] {
  const spread = spreadItems(opened, offset, cursor);
  if (spread) return spread;
  const code = cursor?.quoted === true ? undefined : codeItems(opened, offset);
  if (code) return code;
  if (!cursor) return [...definitionSnippets(opened, offset), ...argumentSnippets(opened, offset)];
  return cursor.kind === 'key' ? keyItems(cursor, opened, offset) : valueItems(cursor, opened, offset, values);
}

/** Returns what may follow `...` in a definition: objects or lists of the script. */
function spreadItems(opened: Opened, offset: number, cursor: ScriptCursor | undefined): CompletionItem[] | undefined {
  if (!cursor || cursor.quoted || !/\.\.\.\w*$/.test(opened.file.text.slice(Math.max(0, offset - 100), offset)))
    return undefined;
  return ownNames(opened, offset, cursor.kind === 'key' ? ['object'] : ['list']);
}

/** In the code of a function, values of every kind can be of use. */
const IN_CODE = heldFor({ is: 'any' });

/** Returns what may follow in the code of SQL, outside of its templates: `sql: () => CUBE.`. */
function codeItems(opened: Opened, offset: number): CompletionItem[] | undefined {
  const around = scriptCodeAround(opened.file.text, offset);
  if (around?.type?.is !== 'sql') return undefined;
  const path = pathIn(opened.file.text.slice(Math.max(0, offset - 300), offset));
  const owner = ownerAt(opened, offset);
  if (!owner) return undefined;
  const items = expressionItems(opened, path, owner, around);
  return path.length > 0 ? items : [...items, ...ownNames(opened, offset, IN_CODE)];
}

function keyItems(cursor: ScriptCursor, opened: Opened, offset: number): CompletionItem[] {
  const { text } = opened.file;
  const range = rangeOf(opened.positions, cursor.wordStart, offset);
  const items = cursor.named ? names(cursor.named, cursor, range, opened) : keys(cursor, range, text);
  const rest = /^\w*(?=\s*:)/.exec(text.slice(offset, offset + 100))?.[0];
  return rest === undefined ? items : items.flatMap((item) => withoutValue(item, opened, offset + rest.length));
}

function valueItems(
  cursor: ScriptCursor,
  opened: Opened,
  offset: number,
  values: (type: Type, context: ValueContext) => CompletionItem[],
): CompletionItem[] {
  const { text } = opened.file;
  const owner = opened.root.index.entity(cursor.entity) ?? symbolAt(opened, offset)?.symbol;
  const range = rangeOf(opened.positions, cursor.wordStart, offset);
  const { type, wordStart } = cursor;
  if (!type) return [];
  const offered = values(type, { cursor, opened, word: text.slice(wordStart, offset), wordStart, owner });
  const isCamelFile = cursor.key === 'type' && CAMEL_TYPES.has(cursor.shape) && isCamel(text, cursor.start);
  const items = isCamelFile ? offered.map(camelized) : offered;
  if (cursor.quoted) return items.map(unquoted);
  const own = /[.]/.test(text.slice(wordStart, offset)) ? [] : ownNames(opened, offset, heldFor(type));
  return [...items.map((item) => (isWord(item, type) ? quoted(item, range) : item)), ...own];
}

/** Returns a key, or the name of a cube to join to, whose value is written already; whole definitions do not fit there. */
function withoutValue(item: CompletionItem, { positions }: Opened, end: number): CompletionItem[] {
  const { kind, label, textEdit } = item;
  if (kind === CompletionItemKind.Snippet || !textEdit || !('range' in textEdit)) return [];
  return [
    { ...item, textEdit: { range: { start: textEdit.range.start, end: positions.positionAt(end) }, newText: label } },
  ];
}

/** Checks for the end of a value before the cursor, or for the beginning of one behind it. */
function isBesideValue(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 100), offset);
  return (
    /(?:[\])}"'`][ \t]*|\w[ \t]+)$/.test(before) ||
    (!/\w$/.test(before) && isBeforeValue(text.slice(offset, offset + 100)))
  );
}

/** Returns what may follow in `${…}`, ordered by what the value around it means. */
function inExpression(opened: Opened, offset: number, path: readonly string[], owner: EntitySymbol): CompletionItem[] {
  const around = scriptValueAround(opened.file.text, offset);
  if (around?.shape === 'policyCondition') return securityItems([...path, ''].join('.'));
  const items = expressionItems(opened, path, owner, around);
  return path.length > 0 ? items : [...items, ...ownNames(opened, offset, ['text', 'number'])];
}

/** Returns what may follow in an expression on the model, behind the names of a path. */
function expressionItems(
  { root: { index } }: Opened,
  path: readonly string[],
  owner: EntitySymbol,
  around: Cursor | undefined,
): CompletionItem[] {
  const isTable = around !== undefined && isTableSql(around);
  if (isTable && path.length === 0) return tableHeads(owner, index);
  const items = path.length === 0 ? heads(owner, 'member', 'sql', index) : tails(path, owner, 'member', index);
  const table = isTable && path[0] !== 'FILTER_PARAMS' ? TABLE_TAILS : [];
  return around ? [...table, ...rankItems(items, around, isItself(path, owner))] : items;
}

/** Returns the names before a word after `${`; `undefined` anywhere else. */
function pathBefore(text: string, offset: number): readonly string[] | undefined {
  const before = text.slice(Math.max(0, offset - 300), offset);
  const open = before.lastIndexOf('${');
  return open === -1 || before.indexOf('}', open) !== -1 ? undefined : pathIn(before);
}

/** Returns the names before the word at the end of a text. */
function pathIn(before: string): readonly string[] {
  const [written = ''] = /[\w.?[\]"']*$/.exec(before) ?? [];
  // `CUBE?.id` and `CUBE['id']` name the same as `CUBE.id`.
  const dotted = written.replaceAll(/\?\.|\[["']|["']\]/g, '.').replaceAll(/(?<=\w)\.{2,}/g, '.');
  return (/[\w.]*$/.exec(dotted)?.[0] ?? '').split('.').slice(0, -1);
}

/** Returns the cube of the call under the cursor: while that cannot be parsed, the name before it still identifies the cube. */
function ownerAt(opened: Opened, offset: number): EntitySymbol | undefined {
  const { file, root } = opened;
  const name = [...file.text.slice(0, offset).matchAll(/\b(?:cube|view)\s*\(\s*[`'"](\w+)[`'"]/g)].at(-1)?.[1];
  return (name === undefined ? undefined : root.index.entity(name)) ?? symbolAt(opened, offset)?.symbol;
}

function keys({ shape: name, siblings, start }: ScriptCursor, range: Range, text: string): CompletionItem[] {
  if (!name) return [];
  const shape = language[name];
  const { needed, excluded } = choiceOfKeys(shape, siblings);
  const spell = shape.camel && isCamel(text, start) ? camelize : (key: string): string => key;
  return Object.entries(shape.keys).flatMap(([key, info], at): CompletionItem[] => {
    // The name is the key that has the whole definition as its value.
    const isName = key === 'name' && (NAMED.has(name) || !info.required);
    if (info.hidden || info.deprecated || siblings.has(key) || excluded.has(key) || isName) return [];
    return [
      {
        label: spell(key),
        kind: CompletionItemKind.Property,
        detail: shape.title,
        documentation: { kind: 'markdown', value: keySummary(key, shape.title, info) },
        sortText: `${needed.has(key) ? '0' : name === 'cube' && info.type.is === 'members' ? '1' : '2'}${String(at).padStart(2, '0')}`,
        insertTextFormat: InsertTextFormat.Snippet,
        textEdit: { range, newText: `${spell(key)}: ${valueText(info.type)},` },
      },
    ];
  });
}

/** Shapes whose name is the key that contains them. */
const NAMED: ReadonlySet<ShapeName> = new Set([
  'cube',
  'view',
  'viewGroup',
  'dimension',
  'measure',
  'segment',
  'hierarchy',
  'preAggregation',
  'join',
  'granularity',
  'index',
]);

/** Whether the file prefers camel case for keys; the default is the documentation's spelling. */
function isCamel(text: string, start: number): boolean {
  const near = text.slice(Math.max(0, start - 20_000), start + 20_000);
  const count = (pattern: RegExp): number => near.match(pattern)?.length ?? 0;
  return count(/\b[a-z]+(?:[A-Z][a-z]+)+\s*:/g) > count(/\b[a-z]+(?:_[a-z]+)+\s*:/g);
}

function valueText(type: Key['type']): string {
  switch (type.is) {
    case 'list':
      return '[$1]';
    case 'map':
    case 'members':
      return '{\n\t$1\n}';
    case 'sql':
      return '`$1`';
    case 'text':
      return type.to === undefined ? '`$1`' : '$1';
    default:
      return '$1';
  }
}

/** Returns names for new definitions: of cubes to join to, of members. */
function names(shape: ShapeName, { siblings, entity }: ScriptCursor, range: Range, opened: Opened): CompletionItem[] {
  if (shape !== 'join') return memberSnippets(shape, range);
  return allEntities(opened.root.index, ['cube']).flatMap((item): CompletionItem[] => {
    if (item.label === entity || siblings.has(item.label)) return [];
    const sql = ['`\\${CUBE}.${2:', item.label, '_id} = \\${', item.label, '.${3:id}}`'].join('');
    const relationship = '`${1|many_to_one,one_to_many,one_to_one|}`';
    const newText = `${item.label}: {\n\trelationship: ${relationship},\n\tsql: ${sql},\n},`;
    return [{ ...item, insertTextFormat: InsertTextFormat.Snippet, textEdit: { range, newText } }];
  });
}

/** Shapes whose types may be spelt in camel case. */
const CAMEL_TYPES: ReadonlySet<ShapeName | undefined> = new Set<ShapeName | undefined>(['measure', 'preAggregation']);

/** Spells a word of the language like the keys of the file, `countDistinct`; the engine reads both. */
function camelized(item: CompletionItem): CompletionItem {
  return /^[a-z]+(?:_[a-z]+)+$/.test(item.label) ? { ...item, label: camelize(item.label) } : item;
}

/** Whether an item is a string in JavaScript. */
function isWord({ label, kind }: CompletionItem, type: Type): boolean {
  const isText = type.is === 'text' || (type.is === 'either' && type.of.some(({ is }) => is === 'text'));
  return isText && !(kind === CompletionItemKind.EnumMember && /^(?:true|false)$/.test(label));
}

/** Puts an item in quotes. */
function quoted(item: CompletionItem, range: Range): CompletionItem {
  const { label } = unquoted(item);
  return { ...item, label, filterText: label, textEdit: { range, newText: `\`${label}\`` } };
}

/** Removes the quotes that YAML needs around some texts, because the text is in quotes here. */
function unquoted(item: CompletionItem): CompletionItem {
  const label = item.label.replace(/^"(.*)"$/, '$1');
  return label === item.label ? item : { ...item, label };
}
