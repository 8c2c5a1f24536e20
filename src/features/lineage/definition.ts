import { deprecatedKeys, isUsualValue, unorderedKeys } from './definition-rules.ts';
import { KEYWORDS } from '#model/sql/completion-words.ts';
import { sqlText } from '#model/sql/sql-texts.ts';
import type { Chunk } from '#model/chunk.ts';
import { textOf, type ScalarNode, type TreeNode } from '#model/syntax/tree.ts';
import { childrenOf, type Site } from '#model/typed.ts';

/** A section of a file, and the text of the whole file, where its aliases lead. */
export interface Source {
  readonly chunk: Chunk;
  readonly fileText: string;
  /** Returns the code of a script that a section of it takes values from; empty if there is none. */
  readonly codeBehind: (node: Pick<TreeNode, 'start' | 'end'>) => string;
}

/** The canonical value of each key of a definition, which formatting does not change; a group of members by their names. */
export type Definition = ReadonlyMap<string, string | Definition>;

/**
 * Returns what a map of the model says: each key in the language's spelling. Layout, comments, quotes, the order of keys, old names
 * of keys and values that are the default make no difference. `omitted` are keys to leave out.
 */
export function definitionAt(site: Site, source: Source, omitted: ReadonlySet<string> = new Set()): Definition {
  const found = new Map<string, string | Definition>();
  if (site.node.kind !== 'map') return found;
  const isKey = /^(?:true|True|TRUE)$/.test(textOf(site.node, 'primary_key', 'primaryKey') ?? '');
  for (const child of childrenOf(site)) {
    const key = deprecatedKeys.get(child.key ?? '') ?? child.key ?? '';
    if (omitted.has(key)) continue;
    const value =
      child.type.is === 'members' ? membersAt(child, source) : withCode(child.node, source, canonicalAt(child, source));
    // A primary key is hidden by default.
    if (!isUsualValue(key, value) || (isKey && key === 'public')) found.set(key, value);
  }
  return found;
}

/** Returns a value with the code that it is computed by, so that a changed function is a changed value. */
function withCode(node: TreeNode, { codeBehind }: Source, value: string): string {
  const code = codeBehind(node);
  return code === '' ? value : `${value}\n${code}`;
}

const named = new Set(['name']);

function membersAt(site: Site, source: Source): Definition | string {
  const children = childrenOf(site);
  if (children.length === 0) return canonicalOf(site.node, source);
  return new Map(children.map((child) => [child.nameNode?.value ?? '', definitionAt(child, source, named)]));
}

function canonicalAt(site: Site, source: Source): string {
  const { node, type, key } = site;
  if (node.kind === 'scalar') return type.is === 'sql' ? canonicalSql(node, source) : canonicalScalar(site, node);
  const children = childrenOf(site);
  if (children.length === 0 || node.kind === 'opaque') return canonicalOf(node, source);
  const texts = children.map((child): [string, string] => [child.key ?? '', canonicalAt(child, source)]);
  if (node.kind === 'map') return JSON.stringify(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
  const items = texts.map(([, text]) => text);
  return JSON.stringify(unorderedKeys.has(key ?? '') ? items.sort() : items);
}

/** Returns the canonical form of a node of any kind, without the table of the language. */
function canonicalOf(node: TreeNode | undefined, source: Source): string {
  switch (node?.kind) {
    case 'scalar':
      return node.value;
    case 'seq':
      return JSON.stringify(node.items.map((item) => canonicalOf(item, source)));
    case 'map': {
      const pairs = node.pairs.map(({ key, value }) => [key.value, canonicalOf(value, source)] as const);
      return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
    }
    case 'opaque':
      return canonicalOpaque(source.chunk.text.slice(node.start, node.end), source);
    default:
      return '';
  }
}

/** Returns the text of code, and for an alias of YAML the text that it stands for. */
function canonicalOpaque(written: string, { chunk, fileText }: Source): string {
  const alias = chunk.kind === 'script' ? undefined : /^\*([^\s,\]}]+)/.exec(written)?.[1];
  return (alias === undefined ? written : (anchored(fileText, alias) ?? written)).replaceAll(/\s+/g, ' ').trim();
}

/** Returns the text of the value that an anchor names, without comments that have a line of their own. */
function anchored(text: string, name: string): string | undefined {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.split(/[\s,[{]/).includes(`&${name}`));
  const line = lines[first];
  if (line === undefined) return undefined;
  const start = line.slice(line.indexOf(`&${name}`) + name.length + 1);
  const indent = line.search(/\S/);
  const rest = lines.slice(first + 1).filter((each) => !/^\s*(?:#|$)/.test(each));
  // A list may have the indentation of its key.
  const isBelow = (each: string): boolean => {
    const own = each.search(/\S/);
    return (
      own > indent || (own === indent && start.trim() === '' && each.startsWith('- ', own) && line[indent] !== '-')
    );
  };
  const after = rest.findIndex((each) => !isBelow(each));
  return [start, ...rest.slice(0, after === -1 ? rest.length : after)].join('\n');
}

function canonicalScalar({ type }: Site, { value }: ScalarNode): string {
  if (type.is === 'boolean') return value.toLowerCase();
  const choice = type.is === 'text' ? type.choices?.find((each) => each.value === value) : undefined;
  return choice?.deprecated ?? value;
}

const keywords = new Set(KEYWORDS.map((word) => word.toLowerCase()));

/** Returns the tokens of SQL without comments; keywords in one case, references without blanks. */
function canonicalSql(node: ScalarNode, source: Source): string {
  const sql = sqlText(source.chunk, node);
  // Blanks inside quotes count, and in a text that cannot be split into tokens it is unknown where they are.
  if (!sql || sql.unclosed) return /['"`\\]/.test(node.value) ? node.value : node.value.trim().replaceAll(/\s+/g, ' ');
  const texts = sql.tokens.map(({ kind, start, end, text }) => {
    const written = sql.sql.slice(start - sql.start, end - sql.start);
    if (kind === 'reference') return written.replace(/^\$/, '').replaceAll(/\s+/g, '');
    return kind === 'word' && keywords.has(text) ? text : written;
  });
  return JSON.stringify(texts);
}
