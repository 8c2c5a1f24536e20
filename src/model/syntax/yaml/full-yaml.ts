import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  parseDocument,
  type Pair as YamlPair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
  visit,
} from 'yaml';
import type { Anchor } from './anchor.ts';
import { joinLines } from './join-lines.ts';
import { ONE_DOCUMENT } from './split.ts';
import { firstIndentTab, TAB_WIDTHS, withoutTabs } from './tabs.ts';
import {
  type MapNode,
  type Pair,
  type ScalarNode,
  type ScalarStyle,
  type SyntaxProblem,
  type TreeNode,
  walk,
} from '#model/syntax/tree.ts';

export interface Parsed {
  readonly node: TreeNode | undefined;
  readonly problems: readonly SyntaxProblem[];
  readonly anchors: readonly Anchor[];
}

/** Further problems in the same chunk add nothing, and each takes a search of the whole chunk. */
const MOST_PROBLEMS = 100;

export const OPEN_QUOTE = 'This quote is never closed.';

const TAB = 'Tabs cannot indent YAML: use spaces.';

/** `IMPOSSIBLE`: the library did not expect a comment before a list that is a key, which is valid. */
const TOLERATED = new Set(['DUPLICATE_KEY', 'BAD_DQ_ESCAPE_WARNING', 'IMPOSSIBLE']);
const STYLES: Readonly<Record<string, ScalarStyle>> = {
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

/** Parses any text, well-formed or not, with `yaml`; only this adapter depends on the library. */
export function parseFull(text: string): Parsed {
  const parsed = read(text);
  if (parsed.problems.length === 0) return parsed;
  // The engine's loader allows quotes and brackets to continue at any column, the library only further right than their key.
  const joined = joinLines(text);
  const again = joined === text ? parsed : read(joined);
  const better = again.problems.length < parsed.problems.length ? again : parsed;
  const tab = better.problems.length === 0 ? undefined : tabProblem(text);
  return tab ? { ...better, problems: [tab] } : better;
}

/**
 * Returns the problem of a tab that indents a line, if the text is valid YAML with spaces instead: all other errors follow from
 * the tab.
 */
function tabProblem(text: string): SyntaxProblem | undefined {
  const start = firstIndentTab(text);
  if (start === -1 || !TAB_WIDTHS.some((width) => read(withoutTabs(text, width)).problems.length === 0))
    return undefined;
  return { start, end: start + 1, code: 'tab-indent', message: TAB };
}

function read(text: string): Parsed {
  const document = parseDocument(text, {
    prettyErrors: false,
    strict: false,
    uniqueKeys: false,
    merge: true,
    // A second document is an error.
    logLevel: 'error',
  });
  const node = convert(document.contents, text);
  const problems: SyntaxProblem[] = [];
  for (const error of [...document.errors, ...document.warnings].slice(0, MOST_PROBLEMS)) {
    if (isTolerated(error)) continue;
    const isOpenQuote = error.code === 'MISSING_CHAR' && error.message.includes('quote');
    const start = Math.min((isOpenQuote ? openQuote(node, error.pos[0]) : undefined) ?? error.pos[0], text.length);
    const end = clipToLine(text, start, Math.max(error.pos[1], start + 1));
    const isTab = error.code === 'TAB_AS_INDENT';
    problems.push({
      start,
      end,
      code: isTab ? 'tab-indent' : 'yaml-syntax',
      message: messageOf(error.code, error.message),
    });
  }
  return { node, problems: [...problems, ...oddPairs(document.contents)], anchors: anchorsIn(document.contents) };
}

/** Returns the anchors and aliases of a document in the order of the text. */
function anchorsIn(contents: ParsedNode | null): readonly Anchor[] {
  const anchors: Anchor[] = [];
  visit(contents, {
    Node: (_, node) => {
      const [start = 0, end = 0] = node.range ?? [];
      if (isAlias(node)) anchors.push({ name: node.source, start, end, isAlias: true });
      else if ('anchor' in node && node.anchor !== undefined)
        anchors.push({ name: node.anchor, start, end, isAlias: false });
    },
  });
  return anchors;
}

/** Checks for an error of `yaml` in text that the engine's own loader (js-yaml) accepts. */
export function isTolerated({ code, message }: { readonly code: string; readonly message: string }): boolean {
  if (code === 'TAG_RESOLVE_FAILED') return !/^Unresolved tag: !(?!!)/.test(message);
  return TOLERATED.has(code);
}

/**
 * Reports pairs that the library accepts and the engine's loader does not: a colon without a key, a merge of something other than
 * a mapping.
 */
function oddPairs(contents: ParsedNode | null): SyntaxProblem[] {
  const problems: SyntaxProblem[] = [];
  visit(contents, {
    Pair: (_, pair, path) => {
      const problem = oddPair(pair as YamlPair<ParsedNode | null, ParsedNode | null>, path);
      if (problem) problems.push({ ...problem, code: 'yaml-syntax' });
    },
  });
  return problems;
}

function oddPair(
  { key, value }: YamlPair<ParsedNode | null, ParsedNode | null>,
  path: readonly unknown[],
): Omit<SyntaxProblem, 'code'> | undefined {
  const start = key?.range[0] ?? value?.range[0] ?? 0;
  if (isMissing(key)) {
    const parent = path.at(-1);
    const isFree = isMap(parent) && parent.flow === true && path.some(isMeta);
    return isFree ? undefined : { start, end: start + 1, message: 'A key is missing before this colon.' };
  }
  if (isNested(key)) return { start, end: start + 1, message: 'A key cannot be a list of lists.' };
  if (!isScalar(key) || key.source !== '<<' || !value || isMergeable(value)) return undefined;
  return { start, end: start + 2, message: '`<<` takes a mapping, or a list of mappings.' };
}

function isNested(key: ParsedNode | null): boolean {
  return isSeq(key) && key.items.some((item) => isSeq(item));
}

function isMissing(key: ParsedNode | null): boolean {
  return !key || (isScalar(key) && key.range[0] === key.range[1] && key.tag === undefined);
}

function isMeta(node: unknown): boolean {
  return isPair(node) && isScalar(node.key) && node.key.value === 'meta';
}

function isMergeable(value: ParsedNode): boolean {
  if (isSeq(value)) return value.items.every((item) => isMap(item) || isAlias(item));
  return isMap(value) || isAlias(value);
}

/** Returns the position of an unclosed quote: users need its start, the parser reports the end. */
function openQuote(node: TreeNode | undefined, end: number): number | undefined {
  let start: number | undefined;
  walk(node, (item) => {
    if (
      item.kind === 'scalar' &&
      (item.style === 'double' || item.style === 'single') &&
      item.start <= end &&
      end <= item.end
    )
      start = item.start;
  });
  return start;
}

function clipToLine(text: string, start: number, end: number): number {
  const lineEnd = text.indexOf('\n', start);
  return Math.max(start, Math.min(end, lineEnd === -1 ? text.length : Math.max(lineEnd, start + 1), text.length));
}

/** Returns the library's message, reworded for model authors where that helps. */
function messageOf(code: string, message: string): string {
  const first = message.split('\n')[0] ?? message;
  if (code === 'TAB_AS_INDENT') return TAB;
  if (code === 'MISSING_CHAR' && first.includes('quote')) return OPEN_QUOTE;
  if (code === 'MULTIPLE_DOCS') return ONE_DOCUMENT;
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'A nested mapping is not allowed here: put the value in quotes if it is text.';
  return first;
}

function convert(node: ParsedNode | null | undefined, text: string): TreeNode | undefined {
  if (!node?.range) return undefined;
  const [start, end] = node.range;
  // A tag turns a value that looks like a number into text.
  if (
    isScalar(node) &&
    node.tag === 'tag:yaml.org,2002:str' &&
    /^[\d.+-]|^(?:true|false|null|~)$/i.test(String(node.value))
  )
    return { kind: 'opaque', start, end };
  if (isScalar(node)) return convertScalar(node, start, end, text);
  if (isAlias(node) || (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')))
    return { kind: 'opaque', start, end };
  if (isMap(node)) return convertMap(node, start, end, text);
  if (isSeq(node)) {
    const items = (node as YAMLSeq<ParsedNode>).items.map((item) => convert(item, text));
    return {
      kind: 'seq',
      start,
      end: lastEnd(node.flow, end, items.at(-1)?.end, start),
      flow: node.flow === true,
      items,
      open: false,
    };
  }
  return { kind: 'opaque', start, end };
}

function lastEnd(flow: boolean | undefined, end: number, last: number | undefined, start: number): number {
  return flow ? end : Math.max(last ?? end, start);
}

function convertScalar(
  node: ParsedNode & { value?: unknown; source?: string; type?: string },
  start: number,
  end: number,
  text: string,
): ScalarNode | undefined {
  const style = STYLES[node.type ?? ''] ?? 'plain';
  if (style === 'plain' && start === end) return undefined;
  const value = typeof node.value === 'string' ? node.value : (node.source ?? text.slice(start, end));
  const trimmed = style === 'block' ? start + text.slice(start, end).trimEnd().length : end;
  return { kind: 'scalar', start, end: trimmed, style, value };
}

function convertMap(node: YAMLMap<ParsedNode, ParsedNode | null>, start: number, end: number, text: string): MapNode {
  const pairs: Pair[] = [];
  let open = false;
  for (const pair of node.items) {
    const converted = convertPair(pair, text);
    // A merge key adds keys from elsewhere.
    if (!converted || converted.key.value === '<<') open ||= !converted || !isEmptyMap(converted.value);
    else pairs.push(converted);
  }
  return {
    kind: 'map',
    start,
    end: lastEnd(node.flow, end, pairs.at(-1)?.end, start),
    flow: node.flow === true,
    pairs,
    open,
  };
}

function isEmptyMap(node: TreeNode | undefined): boolean {
  return node?.kind === 'map' && node.pairs.length === 0 && !node.open;
}

function convertPair(pair: YamlPair<ParsedNode, ParsedNode | null>, text: string): Pair | undefined {
  const key = keyOf(convert(pair.key, text), text);
  if (!key) return undefined;
  const value = convert(pair.value, text);
  const colon = text.indexOf(':', key.end);
  return { key, value, end: value?.end ?? (colon === -1 ? key.end : colon + 1) };
}

/** Returns a key as the engine reads it: a list as its items with commas; a map as a text that names nothing. */
function keyOf(key: TreeNode | undefined, text: string): ScalarNode | undefined {
  if (key?.kind === 'scalar') return key;
  if (key?.kind !== 'map' && key?.kind !== 'seq') return undefined;
  const { start, end } = key;
  const items = key.kind === 'seq' ? key.items.map((item) => (item?.kind === 'scalar' ? item.value : undefined)) : [];
  const isList = key.kind === 'seq' && items.every((item) => item !== undefined);
  return { kind: 'scalar', start, end, style: 'plain', value: isList ? items.join(',') : text.slice(start, end) };
}

/** Checks whether a strict parser reads the same values in two texts without errors. */
export function haveSameValues(one: string, other: string): boolean {
  const values = strictValues(one);
  return values !== undefined && values === strictValues(other);
}

function strictValues(text: string): string | undefined {
  const documents = parseAllDocuments(text, { strict: true, merge: true });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  try {
    return JSON.stringify(documents.map((document): unknown => document.toJS()));
  } catch {
    // Expanded aliases can exceed the memory.
    return undefined;
  }
}
