import { keepsDigits } from '#base/cells.ts';
import type { Problem } from '../codes.ts';
import { whyUnreadable } from '../limits.ts';
import { parseYaml } from '../syntax/parse.ts';
import {
  findExactPair,
  type MapNode,
  type ScalarNode,
  scalarType,
  type SyntaxProblem,
  type TreeNode,
} from '../syntax/tree.ts';
import { TooMuchWork, withinWork } from '../syntax/work.ts';
import { itemTypeOf, alternativesOf, type QueryMemberKind, type QueryType, valueTypeOf } from './shapes.ts';

/** A name in a query file that refers to a member. Offsets are the file's, without quotes. */
export interface QueryReference {
  readonly name: string;
  readonly start: number;
  readonly kinds: readonly QueryMemberKind[];
  readonly isColumn: boolean;
}

/** A test of a query file. */
export interface QueryTest {
  readonly name: string;
  /** Offset of its name, or of the whole test if it has none. */
  readonly start: number;
  readonly end: number;
  /** As written: its expectations and the security context. */
  readonly definition: JsonMap;
}

/** A value of JSON as YAML writes it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonMap;
export type JsonMap = { readonly [key: string]: JsonValue };
/** The query of a query file: one of the data API, or an SQL statement on the model. */
export type QueryOrSql = JsonMap | string;

/** A query file, as far as it could be read. Immutable. */
export interface QueryFile {
  readonly text: string;
  readonly node: TreeNode | undefined;
  readonly problems: readonly (SyntaxProblem | Problem)[];
  readonly title: string | undefined;
  /** The user's question in words, if the file was saved from an answer. */
  readonly question: string | undefined;
  readonly query: JsonMap | undefined;
  /** The query of the file, or its SQL; `undefined` if it has neither or both. */
  readonly queryOrSql: QueryOrSql | undefined;
  /** Offset of the key `query`; -1 without one. */
  readonly queryStart: number;
  readonly tests: readonly QueryTest[];
  readonly references: readonly QueryReference[];
}

/** Returns the limit on repeated reading of a text, by its length. */
const mostWork = (text: string): number => 2_000_000 + 60 * text.length;

/** Parses a query file. Never throws: unreadable text becomes one of its problems. */
export function parseQueryFile(text: string): QueryFile {
  const reason = whyUnreadable(text);
  if (reason !== undefined) return unread(text, reason);
  try {
    return withinWork(mostWork(text), () => fileOf(text));
  } catch (error) {
    if (error instanceof TooMuchWork || error instanceof RangeError)
      return unread(text, 'it has too many errors to be parsed in reasonable time');
    throw error;
  }
}

function unread(text: string, reason: string): QueryFile {
  const message = `Modelbench does not check this file: ${reason}.`;
  const problem: SyntaxProblem = { start: 0, end: Math.min(1, text.length), code: 'not-checked', message };
  return { ...empty, text, problems: [problem] };
}

const empty = {
  node: undefined,
  title: undefined,
  question: undefined,
  query: undefined,
  queryOrSql: undefined,
  queryStart: -1,
  tests: [],
  references: [],
};

function fileOf(text: string): QueryFile {
  const { node, problems } = parseYaml(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text);
  if (node?.kind !== 'map') return { ...empty, text, node, problems };
  const query = findExactPair(node, 'query');
  const value = jsonOf(query?.value);
  const sql = textOf(node, 'sql');
  const references: QueryReference[] = [];
  // The statement names the columns of SQL, which are not members.
  if (sql === undefined) collect(node, { is: 'map', shape: 'file' }, references);
  return {
    text,
    node,
    problems,
    title: textOf(node, 'title'),
    question: textOf(node, 'question'),
    query: isMap(value) ? value : undefined,
    queryOrSql: sql === undefined ? (isMap(value) ? value : undefined) : query ? undefined : sql,
    queryStart: query?.key.start ?? -1,
    tests: testsIn(findExactPair(node, 'tests')?.value),
    references,
  };
}

function textOf(node: MapNode, key: string): string | undefined {
  const value = jsonOf(findExactPair(node, key)?.value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function testsIn(node: TreeNode | undefined): readonly QueryTest[] {
  if (node?.kind !== 'seq') return [];
  return node.items.flatMap((item, at) => {
    const definition = jsonOf(item);
    if (item?.kind !== 'map' || !isMap(definition)) return [];
    const named = findExactPair(item, 'name')?.value;
    const name = named?.kind === 'scalar' && named.value !== '' ? named.value : `Test ${at + 1}`;
    const { start, end } = named ?? { start: item.start, end: item.start };
    return [{ name, start, end, definition }];
  });
}

/** Converts a node to JSON; dates remain texts, and values that only running the code would show become null. */
function jsonOf(node: TreeNode | undefined): JsonValue {
  switch (node?.kind) {
    case 'scalar':
      return scalarOf(node);
    case 'seq':
      return node.items.map((item) => jsonOf(item));
    case 'map':
      return Object.fromEntries(node.pairs.map(({ key, value }) => [key.value, jsonOf(value)]));
    default:
      return null;
  }
}

function scalarOf(node: ScalarNode): JsonValue {
  switch (scalarType(node)) {
    case 'null':
      return null;
    case 'boolean':
      return node.value.toLowerCase() === 'true';
    case 'number': {
      const value = Number(node.value);
      // A long id stays text: rounded, it would be another one.
      return Number.isFinite(value) && keepsDigits(node.value) ? value : node.value;
    }
    default:
      return node.value;
  }
}

/** Checks whether a value is a map. */
export function isMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function collect(node: TreeNode | undefined, type: QueryType, found: QueryReference[]): void {
  if (node?.kind === 'scalar') collectScalar(node, type, found);
  else if (node?.kind === 'seq') {
    const of = itemTypeOf(type);
    for (const item of node.items) if (of) collect(item, of, found);
  } else if (node?.kind === 'map') for (const option of alternativesOf(type)) collectMap(node, option, found);
}

function collectMap({ pairs }: MapNode, type: QueryType, found: QueryReference[]): void {
  for (const { key, value } of pairs) {
    if (type.is === 'byMember') collectScalar(key, type.key, found);
    const of = valueTypeOf(type, key.value);
    if (of) collect(value, of, found);
  }
}

function collectScalar(node: ScalarNode, type: QueryType, found: QueryReference[]): void {
  const options = alternativesOf(type);
  const member = options.find((option) => option.is === 'member');
  const isChoice = options.some((option) => option.is === 'choice' && option.choices.includes(node.value));
  if (!member || isChoice || node.value === '') return;
  const quoted = node.style === 'double' || node.style === 'single' ? 1 : 0;
  const { kinds, isColumn = false } = member;
  found.push({ name: node.value, start: node.start + quoted, kinds, isColumn });
}
