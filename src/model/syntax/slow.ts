import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Pair as YamlPair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import {
  type MapNode,
  type Pair,
  type ScalarNode,
  type ScalarStyle,
  type SyntaxProblem,
  type TreeNode,
  walk,
} from './tree.ts';

export interface Parsed {
  readonly node: TreeNode | undefined;
  readonly problems: readonly SyntaxProblem[];
}

/** Complaints of `yaml` about text that the engine's own loader (js-yaml) takes. */
const TOLERATED = new Set(['TAG_RESOLVE_FAILED', 'DUPLICATE_KEY', 'BAD_DQ_ESCAPE_WARNING']);
const STYLES: Readonly<Record<string, ScalarStyle>> = {
  QUOTE_DOUBLE: 'double',
  QUOTE_SINGLE: 'single',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
};

/** Parses any text, well-formed or not, with `yaml`: the adapter is the only place that knows the library. */
export function parseSlow(text: string): Parsed {
  const document = parseDocument(text, {
    prettyErrors: false,
    strict: false,
    uniqueKeys: false,
    merge: true,
    logLevel: 'silent',
  });
  const node = convert(document.contents, text);
  const problems: SyntaxProblem[] = [];
  for (const error of document.errors) {
    if (TOLERATED.has(error.code)) continue;
    const isOpenQuote = error.code === 'MISSING_CHAR' && error.message.includes('quote');
    const start = Math.min((isOpenQuote ? openQuote(node, error.pos[0]) : undefined) ?? error.pos[0], text.length);
    const end = clipToLine(text, start, Math.max(error.pos[1], start + 1));
    const isTab = error.code === 'TAB_AS_INDENT';
    problems.push({
      start,
      end,
      code: isTab ? 'tab-indent' : 'yaml-syntax',
      message: words(error.code, error.message),
    });
  }
  return { node, problems };
}

/** Where the quote stands that is never closed: a person looks for the start, the parser reports the end. */
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

/** The library's message, in the terms of a person who writes models where that helps. */
function words(code: string, message: string): string {
  const first = message.split('\n')[0] ?? message;
  if (code === 'TAB_AS_INDENT') return 'Tabs cannot indent YAML: use spaces.';
  if (code === 'MISSING_CHAR' && first.includes('quote')) return 'This quote is never closed.';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'A nested mapping is not allowed here: put the value in quotes if it is text.';
  return first;
}

function convert(node: ParsedNode | null | undefined, text: string): TreeNode | undefined {
  if (!node?.range) return undefined;
  const [start, end] = node.range;
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
    // A merge key brings keys from elsewhere.
    if (!converted || converted.key.value === '<<') open = true;
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

function convertPair(pair: YamlPair<ParsedNode, ParsedNode | null>, text: string): Pair | undefined {
  const key = convert(pair.key, text);
  if (key?.kind !== 'scalar') return undefined;
  const value = convert(pair.value, text);
  const colon = text.indexOf(':', key.end);
  return { key, value, end: value?.end ?? (colon === -1 ? key.end : colon + 1) };
}
