import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
  type Range,
} from 'vscode-languageserver';
import { type Cursor, cursorAt } from '#model/cursor/cursor.ts';
import type { Effective } from '#model/effective.ts';
import { fitsMember } from '#model/filter-operators.ts';
import { BASIC_FORMATS, NUMBER_FORMATS, TIME_FORMATS } from '#model/checks/formats.ts';
import { choiceOfKeys } from '#model/language/key-choice.ts';
import { canonicalKey, language } from '#model/language/language.ts';
import { GRANULARITIES } from '#model/language/shared-keys.ts';
import type { Key, Target, TextFormat, Type } from '#model/language/types.ts';
import { granularitiesOf } from '#model/granularities.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import { chunkAt, textIn } from '#model/locate.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import {
  allEntities,
  granularityItems,
  heads,
  isItself,
  isTableSql,
  joinPathItems,
  membersFor,
  TABLE_TAILS,
  tableHeads,
  tails,
} from './candidates.ts';
import { rankItems, securityItems } from './rank-items.ts';
import { keySummary } from '#language-server/ide/hover.ts';
import { hanging, hangOf, styled, styleOf } from './indent-items.ts';
import { booleanWords, formatWords } from '#language-server/ide/value-words.ts';
import { jinjaCompletion } from '#language-server/ide/templates/jinja.ts';
import { hasSchema, symbolAt } from '#language-server/ide/locations.ts';
import { platformEntities, platformMembers } from './platform-words.ts';
import { scriptCompletion } from './script-completion.ts';
import { isBeforeValue, placedItems } from './placed-items.ts';
import { itemSnippets } from './snippets.ts';
import { MOST_OFFERED, sqlItems } from './sql-completion.ts';
import type { ValueContext } from './value-context.ts';

/**
 * Returns the completions at an offset. `yieldToYaml`: another server offers the keys and values of the schema, in files that the
 * schema applies to; this server offers names of the model everywhere.
 */
export function completion(opened: Opened, offset: number, yieldToYaml = false): CompletionList {
  const place = { file: opened.file, positions: opened.positions, offset, lead: '' };
  if (opened.file.language === 'script')
    return { isIncomplete: false, items: placedItems(scriptCompletion(opened, offset, values), place) };
  const inTemplate = jinjaCompletion(opened, offset);
  const items = inTemplate ? placedItems(inTemplate, place) : yamlCompletion(opened, offset);
  const isYielded = yieldToYaml && hasSchema(opened);
  // A list that was cut is asked for again with more of the name.
  const isIncomplete = items.length >= MOST_OFFERED;
  return { isIncomplete, items: isYielded ? items.filter(isOurs) : items };
}

/** Whether an item is not a key or a fixed value of the schema. */
function isOurs({ kind, detail }: CompletionItem): boolean {
  return kind !== CompletionItemKind.Property && (kind !== CompletionItemKind.EnumMember || detail !== undefined);
}

function yamlCompletion(opened: Opened, offset: number): CompletionItem[] {
  const { file } = opened;
  // Only the text from the section's key on matters, so a large file is not scanned.
  const placed = chunkAt(file, offset);
  const from = placed ? placed.start : 0;
  const header = placed && placed.chunk.kind === 'item' ? `${placed.chunk.section}:\n` : '';
  const text = header + textIn(file, from, offset + 4000);
  const cursor = cursorAt(text, offset - from + header.length);
  const wordStart = cursor.wordStart - header.length + from;
  const word = textIn(file, wordStart, offset);
  const owner = symbolAt(opened, offset)?.symbol;
  const context = { cursor, opened, word, wordStart, owner };
  const offered = cursor.type && takesValue(context, offset) ? values(cursor.type, context) : [];
  // YAML reads `key:value` as one word.
  const lead = wordStart === offset && textIn(file, offset - 1, offset) === ':' ? ' ' : '';
  const items = placedItems(offered, { file, positions: opened.positions, offset, lead });
  if (cursor.kind !== 'key') return items;
  const style = styleOf(text, header.length);
  const found = keyItems(context, offset).map((item) => styled(item, style));
  // Where both are possible, names are likelier than the keys of a map.
  return offered.length === 0
    ? [...items, ...found]
    : [...items, ...found.map((item) => ({ ...item, sortText: `9${item.sortText ?? ''}` }))];
}

function keyItems({ cursor, opened, wordStart }: ValueContext, offset: number): CompletionItem[] {
  const rest = /^\w*(?=[ \t]*:)/.exec(textIn(opened.file, offset, offset + 100))?.[0];
  const range = rangeOf(opened.positions, Math.min(wordStart, offset), offset + (rest?.length ?? 0));
  const fitting = keys(cursor, range);
  if (rest !== undefined) return fitting.flatMap((item) => withoutValue(item));
  const hang = hangOf(opened, range.start);
  return fitting.map((item) => hanging(item, hang));
}

/** Checks that the cursor is in a value, or where one is missing: not behind one, and not before one that is written already. */
function takesValue({ cursor, opened: { file }, word, wordStart }: ValueContext, offset: number): boolean {
  const quote = wordStart <= offset ? textIn(file, Math.max(0, wordStart - 1), wordStart) : '';
  const behind = textIn(file, offset, offset + 100);
  if (cursor.flow && /^\w*[ \t]*:[ \t]/.test(behind)) return false;
  if (quote === '"' && /(?:^|[^\\])"/.test(word)) return false;
  if (quote === "'" && word.replaceAll("''", '').includes("'")) return false;
  if (word.startsWith('[') && word.trimEnd().endsWith(']')) return false;
  // Within a text, what follows belongs to it.
  return word.trim() !== '' || /["']/.test(quote) || !isBeforeValue(behind);
}

/** Returns a key whose value is written already; whole definitions do not fit there. */
function withoutValue(item: CompletionItem): CompletionItem[] {
  const { kind, label, textEdit } = item;
  return kind === CompletionItemKind.Property && textEdit
    ? [{ ...item, textEdit: { ...textEdit, newText: label } }]
    : [];
}

function keys(cursor: Cursor, range: Range): CompletionItem[] {
  if (!cursor.shape) return [];
  const { shape: name } = cursor;
  const shape = language[name];
  const written = new Map([...cursor.siblings].map(([key, value]) => [canonicalKey(name, key) ?? key, value]));
  const { needed, excluded } = choiceOfKeys(shape, written);
  const items = Object.entries(shape.keys).flatMap(([name, info], at): CompletionItem[] => {
    if (info.hidden || info.deprecated || written.has(name) || excluded.has(name) || isOfCubes(name, cursor)) return [];
    return [
      {
        label: name,
        kind: CompletionItemKind.Property,
        detail: shape.title,
        documentation: { kind: 'markdown', value: keySummary(name, shape.title, info) },
        sortText: `${needed.has(name) ? '0' : OF_CUBES.has(name) ? '1' : '2'}${String(at).padStart(2, '0')}`,
        insertTextFormat: InsertTextFormat.Snippet,
        textEdit: { range, newText: keyText(name, info, cursor) },
      },
    ];
  });
  return cursor.newItem || cursor.shape === 'file' ? [...itemSnippets(cursor, range), ...items] : items;
}

/** Keys that the engine accepts in a view but that have no effect, because its members come from cubes. */
const OF_CUBES = new Set(['joins', 'dimensions', 'measures', 'segments', 'hierarchies', 'pre_aggregations']);

function isOfCubes(key: string, { shape }: Cursor): boolean {
  return shape === 'view' && OF_CUBES.has(key);
}

/** Returns the key with the text that must follow it. */
function keyText(name: string, { type }: Key, cursor: Cursor): string {
  if (cursor.flow) return `${name}: `;
  if (type.is === 'list' || type.is === 'members') return `${name}:\n  - `;
  if (type.is === 'map') return `${name}:\n  `;
  return `${name}: `;
}

function values(type: Type, context: ValueContext): CompletionItem[] {
  if (type.is === 'boolean')
    return ['true', 'false'].map((label) => described(label, booleanWords(context.cursor.key ?? '', label)));
  if (type.is === 'sql') return [...inBraces(context), ...sqlItems(context)];
  if (type.is === 'reference') return referenceItems(type.to, context);
  if (type.is === 'text') return textItems(type, context);
  if (type.is === 'any') return userAttributeItems(context);
  if (type.is === 'either')
    return type.of.flatMap((option) => (option.is === 'map' || option.is === 'list' ? [] : values(option, context)));
  // A list of references may also be written as a single one.
  return type.is === 'list' && type.of.is === 'reference' ? referenceItems(type.of.to, context) : [];
}

function textItems({ choices, to, format }: Type & { readonly is: 'text' }, context: ValueContext): CompletionItem[] {
  if (choices) {
    const compared = comparedMember(context);
    const likely = likelyType(context);
    const offered = choices.filter(
      ({ value, hidden, deprecated }) =>
        !hidden && deprecated === undefined && (!compared || fitsMember(value, compared)),
    );
    return offered.map(({ value, doc }, at) => ({
      ...constant(value === '*' ? '"*"' : value),
      documentation: doc,
      sortText: value === likely ? '00' : String(at + 1).padStart(2, '0'),
    }));
  }
  if (to) return named(to, context);
  return format ? formatItems(format, context) : [];
}

/** Returns the member that the filter is about whose operator is at the cursor. */
function comparedMember({ cursor, owner, opened }: ValueContext): Effective | undefined {
  const written = cursor.key === 'operator' ? cursor.siblings.get('member') : undefined;
  const path = written?.replaceAll(/[{}\s]/g, '').split('.') ?? [];
  const [name = '', cube] = path.toReversed();
  const entity = cube === undefined || cube === 'CUBE' ? owner : opened.root.index.entity(cube);
  return entity && name !== '' ? opened.root.index.member(entity, name) : undefined;
}

/** Returns the type of a measure whose SQL is a formula of other measures or of aggregates. */
function likelyType({ cursor, owner }: ValueContext): string | undefined {
  if (cursor.key !== 'type' || cursor.shape !== 'measure') return undefined;
  const sql = cursor.siblings.get('sql') ?? '';
  const isMeasure = (name: string): boolean => owner?.members.get(name)?.kind === 'measure';
  const names = [...sql.matchAll(/\{\s*(?:CUBE\.)?(\w+)\s*\}/g)].map(([, name = '']) => name);
  return names.some(isMeasure) || /\b(?:sum|count|avg|min|max)\s*\(/i.test(sql) ? 'number' : undefined;
}

function constant(label: string): CompletionItem {
  return { label, kind: CompletionItemKind.EnumMember };
}

function described(label: string, documentation: string | undefined): CompletionItem {
  return documentation === undefined ? constant(label) : { ...constant(label), documentation };
}

/** Returns completions inside `{…}` of an SQL text. */
function inBraces({ word, owner, opened, cursor }: ValueContext): CompletionItem[] {
  const inside = insideBraces(word);
  if (!owner || inside === undefined) return [];
  const names = namesBefore(inside);
  if (isTableSql(cursor) && names.length === 0) return tableHeads(owner, opened.root.index);
  const table = isTableSql(cursor) && names[0] !== 'FILTER_PARAMS' ? TABLE_TAILS : [];
  return [...table, ...rankItems(pathItems(inside, owner, 'member', 'sql', opened), cursor, isItself(names, owner))];
}

/** Returns completions inside `{…}` of a value in a filter of an access policy. */
function userAttributeItems({ word, cursor }: ValueContext): CompletionItem[] {
  const inside = cursor.shape === 'rowFilter' ? insideBraces(word) : undefined;
  return inside === undefined ? [] : securityItems(inside);
}

/** Returns the text after a brace that is still open. */
function insideBraces(word: string): string | undefined {
  const open = word.lastIndexOf('{');
  return open === -1 || word.includes('}', open) ? undefined : word.slice(open + 1);
}

function pathItems(
  word: string,
  owner: EntitySymbol,
  target: Target,
  form: 'sql' | 'path',
  opened: Opened,
): CompletionItem[] {
  const { index } = opened.root;
  const names = namesBefore(word);
  const last = names.at(-1);
  if (last === undefined) {
    const items = heads(owner, target, form, index);
    return [...items, ...platformMembers(opened, owner.name, target, items), ...platformEntities(opened, ['cube'])];
  }
  const items = tails(names, owner, target, index);
  const cube = last === 'CUBE' || last === 'TABLE' ? owner.name : last;
  return [...items, ...platformMembers(opened, cube, target, items)];
}

/** Returns the names before the last dot of an incomplete `a.b.c`, also with the first one in braces: `{a}.b.c`. */
function namesBefore(word: string): string[] {
  return (/(?:\{\s*\w+\s*\}\.|(?<![\w.]))[\w.]*$/.exec(word)?.[0] ?? '')
    .replaceAll(/[{}\s]/g, '')
    .split('.')
    .slice(0, -1);
}

function referenceItems(target: Target, { word, owner, opened, cursor }: ValueContext): CompletionItem[] {
  const { index } = opened.root;
  // In the `key` of a dimension, the engine accepts only `CUBE`.
  if (cursor.key === 'key' && cursor.shape === 'dimension' && owner && namesBefore(word).length === 0)
    return membersFor(owner, target, index).map((item) => ({ ...item, label: `CUBE.${item.label}` }));
  if (target === 'cube' || target === 'view') return entities([target], owner, opened);
  if (cursor.shape === 'policyCondition') return securityItems(word);
  if (target === 'joinPath') {
    const names = namesBefore(word);
    return [...joinPathItems(names, index), ...(names.length === 0 ? platformEntities(opened, ['cube', 'view']) : [])];
  }
  return owner
    ? rankItems(pathItems(word, owner, target, 'path', opened), cursor, isItself(namesBefore(word), owner))
    : [];
}

/** Returns plain names: of cubes, views, members of this view or of the cube in which a `join_path` ends. */
function named(target: Target, { owner, opened, wordStart }: ValueContext): CompletionItem[] {
  const { index } = opened.root;
  if (target === 'cube' || target === 'view' || target === 'viewGroup') return entities([target], owner, opened);
  if (!owner) return [];
  if (target !== 'includedMember') return membersFor(owner, target, index);
  const name = includedFrom(owner, opened, wordStart);
  const entity = name === undefined ? undefined : index.entity(name);
  const items = entity ? membersFor(entity, target, index) : [];
  return name === undefined ? items : [...items, ...platformMembers(opened, name, target, items)];
}

/** Returns cubes, views or view groups except the one that is being edited. */
function entities(
  kinds: readonly EntitySymbol['kind'][],
  owner: EntitySymbol | undefined,
  opened: Opened,
): CompletionItem[] {
  const items = [...allEntities(opened.root.index, kinds), ...platformEntities(opened, kinds)];
  return items.filter(({ label }) => label !== owner?.name);
}

/** Returns the name of the cube whose members are included here: the last one of this entry's join path. */
function includedFrom(owner: EntitySymbol, { root: { index }, file }: Opened, offset: number): string | undefined {
  const start = index.placement(owner.chunk)?.start ?? 0;
  const cube = owner.cubes.findLast(({ node }) => start + node.start <= offset);
  const parsed = cube?.path?.segments.at(-1)?.text;
  // While the item cannot be parsed, the lines above still contain it.
  const above = [...textIn(file, Math.max(0, offset - 2000), offset).matchAll(/join_?[pP]ath:\s*["'`]?([\w.]+)/g)];
  return parsed ?? above.at(-1)?.[1]?.split('.').at(-1);
}

/** Values of the text formats that can be listed. */
const FORMATS: Partial<Readonly<Record<TextFormat, () => readonly string[]>>> = {
  timezone: () => Intl.supportedValuesOf('timeZone'),
  currency: () => Intl.supportedValuesOf('currency'),
  every: () => ['1 minute', '10 minutes', '1 hour', '1 day', '1 week'],
  everyInterval: () => ['1 hour', '1 day', '7 day', '1 week'],
  interval: () => ['1 day', '1 week', '1 month', '1 quarter', '1 year'],
  rollingInterval: () => ['unbounded', '7 day', '30 day', '1 month', '1 year'],
  granularityInterval: () => ['1 day', '1 week', '1 month', '1 quarter', '1 year'],
};

function formatItems(format: TextFormat, { cursor, owner }: ValueContext): CompletionItem[] {
  if (format === 'granularity') return granularityItems(ownGranularities(owner));
  const known = format === 'memberFormat' ? memberFormats(cursor) : (FORMATS[format]?.() ?? []);
  return known.map((label, at) => ({
    ...described(label, format === 'memberFormat' ? formatWords(label) : undefined),
    detail: 'value',
    ...(format === 'memberFormat' ? { sortText: String(at).padStart(2, '0'), insertText: quotedFormat(label) } : {}),
  }));
}

/** Returns the formats for the type of the member at the cursor. */
function memberFormats({ shape, siblings }: Cursor): readonly string[] {
  const type = siblings.get('type');
  if (shape === 'measure' || type === 'number') return NUMBER_FORMATS;
  return type === 'time' ? [...TIME_FORMATS, ...BASIC_FORMATS] : BASIC_FORMATS;
}

/** Quotes a format if needed: signs such as `%` cannot begin a plain value. */
function quotedFormat(format: string): string {
  return /^\w+$/.test(format) ? format : `"${format}"`;
}

/** Returns the granularities of all time dimensions of the cube, because the one that is meant may not be typed yet. */
function ownGranularities(owner: EntitySymbol | undefined): readonly string[] {
  const own = owner
    ? [...owner.members.values()].flatMap((member) => (member.kind === 'dimension' ? granularitiesOf(member) : []))
    : [];
  return [...new Set([...GRANULARITIES, ...own])];
}
