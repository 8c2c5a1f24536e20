import { languageOf } from './model-path.ts';
import { nearestName } from '#model/suggest.ts';

/** Characters of a section that suffice to see what its items are. */
const HEAD = 20_000;
const SECTION = /^\uFEFF?(["']?)(cubes|views|view_groups)\1[ \t]*:(.*)$/gm;
const SECTIONS = new Set(['cubes', 'views', 'view_groups']);

/**
 * Checks whether the text of a file is a data model, by what only models have: top-level `cubes`, `views` or `view_groups` with
 * named items, or calls of `cube` and `view` with matching contents. Other YAML and scripts are not, even if they happen to have
 * a key of that name. `path` determines the language by the end of its name. Linear in the text; never throws. See
 * docs/model-language.md#where-models-are.
 */
export function looksLikeModel(path: string, text: string, language = languageOf(path)): boolean {
  return language === 'script' ? isScriptModel(text) : isYamlModel(text);
}

function isScriptModel(text: string): boolean {
  if (/^[ \t]*cube\s*\(\s*[`'"]/m.test(text)) {
    return /\b(?:sql|sqlTable|sql_table|extends|measures|dimensions|joins|segments|preAggregations|pre_aggregations)\b/.test(
      text,
    );
  }
  return /^[ \t]*view\s*\(\s*[`'"]/m.test(text) && /\b(?:cubes|includes|extends)\s*:/.test(text);
}

function isYamlModel(text: string): boolean {
  let hasEmpty = false;
  for (const { 0: line, 2: section = '', 3: rest = '', index } of text.matchAll(SECTION)) {
    const items = itemsOf(section, rest, text.slice(index + line.length, index + line.length + HEAD));
    if (items === 'named') return true;
    hasEmpty ||= items === 'none';
  }
  return hasEmpty && hasOnlySections(text);
}

/** Classifies the contents of a section: items with names, nothing yet, or something that is neither a cube nor a view. */
function itemsOf(section: string, rest: string, below: string): 'named' | 'none' | 'other' {
  const value = rest.replace(/(?:^|\s)#.*$/, '').trim();
  if (value.startsWith('[')) return /[{,]\s*["']?name["']?\s*:/.test(value + below) ? 'named' : 'other';
  if (value.startsWith('{%') || value.startsWith('{{')) return 'named';
  if (value !== '') return 'other';
  const body = bodyOf(below);
  const [, first = ''] = /^[ \t]*(\S.*)$/m.exec(body) ?? [];
  if (first === '') return 'none';
  if (/^\{[%{]/.test(first)) return 'named';
  if (!/^-(?:\s|$)/.test(first)) return 'other';
  const keys = keysOf(ownKeys(body));
  if (keys.includes('name')) return areOfModel(section, keys, body) ? 'named' : 'other';
  return /^[-\s]*$/.test(body) ? 'none' : 'other';
}

/** Keys that lists of other tools have, too. */
const ANYWHERE = new Set(['name', 'title', 'description', 'public', 'shown', 'meta']);
/** Keys that only cubes, views and view groups have, in the spelling of YAML. */
export const KEYS_OF_MODELS = [
  ...['sql', 'sql_table', 'sql_alias', 'extends', 'data_source', 'refresh_key', 'calendar', 'rewrite_queries'],
  ...['joins', 'dimensions', 'measures', 'segments', 'hierarchies', 'pre_aggregations', 'access_policy'],
  ...['cubes', 'includes', 'folders', 'default_filters', 'view_group', 'view_groups', 'views'],
];
const OF_MODELS = new Set(KEYS_OF_MODELS);

/** Checks whether the keys of items can be those of cubes and views. */
function areOfModel(section: string, keys: readonly string[], body: string): boolean {
  // One item may have only been begun. A list of names and titles is one of another tool.
  if (keys.every((key) => ANYWHERE.has(key))) return keys.filter((key) => key === 'name').length === 1;
  return keys.some(isOfModels) && saysWhereDataIs(section, keys, body);
}

/** What the items of a section have that says where their data is, unless an item was only begun. */
const DATA: Readonly<Record<string, RegExp>> = {
  cubes: /\b(?:sql|sqlTable|sql_table|extends)["']?[ \t]*:/i,
  views: /\b(?:cubes|includes|extends|join_path|joinPath)["']?[ \t]*:/i,
};

/** Keys with which other tools describe data as well. */
const SHARED = new Set(['dimensions', 'measures', 'joins', 'hierarchies']);

/**
 * Checks whether items with keys that no model has are cubes and views all the same: other tools have lists of these names, too, and
 * take the data from elsewhere.
 */
function saysWhereDataIs(section: string, keys: readonly string[], body: string): boolean {
  const isForeign = keys.some((key) => !ANYWHERE.has(key) && !isOfModels(key));
  const isOwn = keys.some((key) => isOfModels(key) && !SHARED.has(key));
  return !isForeign || isOwn || (DATA[section]?.test(body) ?? true);
}

/** Whether a key is one of a model, also if it is misspelt or written as in JavaScript. */
function isOfModels(key: string): boolean {
  return OF_MODELS.has(key) || (!ANYWHERE.has(key) && nearestName(key, OF_MODELS) !== undefined);
}

/** Returns the keys at the beginning of lines. */
function keysOf(lines: string): readonly string[] {
  return [...lines.matchAll(/^[ \t]*(?:-[ \t]+(?:\{[ \t]*)?)?["']?([\w-]+)["']?[ \t]*:/gm)].map(([, key = '']) => key);
}

/** Returns the lines of a section: those that are indented or list items, without comments. */
function bodyOf(below: string): string {
  const lines: string[] = [];
  for (const line of below.split(/\r?\n/).slice(1)) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    if (!/^(?:[ \t]|-(?:\s|$)|\{[%{#])/.test(line)) break;
    lines.push(line);
  }
  return lines.join('\n');
}

/** Returns the lines of a section that hold keys of its items, without anything nested in them. */
function ownKeys(body: string): string {
  const lines = body.split('\n');
  const [, dash = '', after = ''] = /^([ \t]*)-([ \t]*)/.exec(lines[0] ?? '') ?? [];
  const [, next = ''] = /^([ \t]*)/.exec(lines[1] ?? '') ?? [];
  // The keys of an item are aligned with its first one, or are below a dash on a line of its own.
  const isAlone = /^[ \t]*-[ \t]*$/.test(lines[0] ?? '');
  const depth = isAlone ? next.length : dash.length + 1 + after.length;
  return lines.filter((line) => /^[ \t]*(?:-[ \t]*)?/.exec(line)?.[0].length === depth).join('\n');
}

/** Checks whether a text has no other top-level keys, as in a file that was only begun. */
function hasOnlySections(text: string): boolean {
  return [...text.matchAll(/^\uFEFF?["']?([\w-]+)["']?[ \t]*:/gm)].every(([, key = '']) => SECTIONS.has(key));
}
