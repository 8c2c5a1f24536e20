import { parse, stringify } from 'yaml';
import { BASE_MODELS } from './base-models.ts';
import { type SchemaNode, unionOf } from './schema.ts';

/** One change of an accepted model. */
export interface Mutant {
  /** The model, the position, and the change. */
  readonly name: string;
  readonly kind: 'valid or mistyped' | 'missing' | 'unknown' | 'misplaced' | 'respelled' | 'reference' | 'expression';
  /** The file that is judged. */
  readonly path: string;
  /** Whether only false errors count, because nothing except running the model shows that it is wrong. */
  readonly mayMiss?: boolean;
  /** Returns its text; generated on demand, because most runs judge a sample. */
  readonly text: () => string;
}

type Path = readonly (string | number)[];
type Value = unknown;

/** Yields all mutants that the engine's schema suggests; `schemas` are those of cubes, views and groups of views. */
export function* mutants(schemas: readonly unknown[]): Iterable<Mutant> {
  const [cube, view, group] = schemas.map(unionOf);
  const roots: Readonly<Record<string, SchemaNode | undefined>> = { cubes: cube, views: view, view_groups: group };
  const everyKey = [...new Set([cube, view, group].flatMap((node) => (node ? [...keysIn(node)] : [])))].map(snake);
  for (const [name, text] of Object.entries(BASE_MODELS)) {
    const model = parse(text) as Readonly<Record<string, readonly Value[]>>;
    for (const [section, items] of Object.entries(model)) {
      const node = roots[section];
      if (!node) continue;
      for (const [at, item] of items.entries())
        for (const each of inMap(item as Record<string, Value>, node, [section, at], everyKey))
          yield {
            name: `${name}: ${each.path.join('.')}: ${each.what}`,
            kind: each.kind,
            path: 'm.yml',
            text: () => changed(model, each),
          };
    }
  }
}

interface Change {
  readonly path: Path;
  readonly kind: Mutant['kind'];
  readonly what: string;
  /** Absent: the value at the path is removed. */
  readonly value?: Value;
  /** The key that replaces the last one of the path; its value stays. */
  readonly key?: string;
}

const NOT_WRITTEN = new Set([
  'allDefinitions',
  'rawFolders',
  'rawCubes',
  'isView',
  'fileName',
  'viewGroup',
  'viewGroups',
]);

function* inMap(
  map: Record<string, Value>,
  node: SchemaNode,
  path: Path,
  everyKey: readonly string[],
): Iterable<Change> {
  for (const key of Object.keys(map)) yield { path: [...path, key], kind: 'missing', what: 'missing' };
  yield* respelled(map, path);
  yield { path: [...path, 'bogus'], kind: 'unknown', what: 'unknown', value: 1 };
  const known = new Set([...node.keys.keys()].map(snake));
  for (const key of everyKey)
    if (!known.has(key) && !(key in map))
      yield { path: [...path, key], kind: 'misplaced', what: 'misplaced', value: 'abc' };
  for (const [key, child] of node.keys) {
    if (NOT_WRITTEN.has(key)) continue;
    for (const value of palette(child))
      yield { path: [...path, snake(key)], kind: 'valid or mistyped', what: JSON.stringify(value), value };
  }
  for (const [key, value] of Object.entries(map)) {
    const child = node.keys.get(camel(key));
    if (child) yield* below(value, child, [...path, key], everyKey);
  }
}

/** Yields the keys of a map, and the values that the engine converts, in other spellings. */
function* respelled(map: Record<string, Value>, path: Path): Iterable<Change> {
  for (const key of Object.keys(map))
    for (const other of spellings(key)) yield { path: [...path, key], kind: 'respelled', what: other, key: other };
  for (const key of ['type', 'relationship']) {
    const value = map[key];
    if (typeof value === 'string')
      for (const other of spellings(value))
        yield { path: [...path, key], kind: 'respelled', what: other, value: other };
  }
}

function* below(value: Value, node: SchemaNode, path: Path, everyKey: readonly string[]): Iterable<Change> {
  if (Array.isArray(value)) {
    const item = node.named ?? node.item;
    for (const [at, each] of value.entries()) yield* below(each, item ?? node, [...path, at], everyKey);
  } else if (typeof value === 'object' && value !== null)
    yield* inMap(value as Record<string, Value>, node, path, everyKey);
  else for (const [what, text] of REFERENCES) yield { path, kind: 'reference', what, value: text };
}

/** Returns values of every kind, and those that the schema lists. */
function palette({ values, kinds }: SchemaNode): readonly Value[] {
  const listed = [...values].flatMap((value) => (snake(value) === value ? [value] : [value, snake(value)]));
  const texts =
    kinds.has('function') || kinds.has('string') || kinds.has('any')
      ? ['id', '{CUBE}.id', '{id}', '1 day', '{', '}']
      : [];
  return [
    ...listed,
    ...texts,
    'abc',
    '',
    5,
    true,
    false,
    'true',
    null,
    [],
    ['abc'],
    ['id'],
    {},
    { abc: 1 },
    { sql: 'id' },
    [{ name: 'x' }],
  ];
}

/** References to try: a label and the text of each. */
const REFERENCES: readonly (readonly [string, string])[] = [
  'id',
  'count',
  'paid',
  'drill',
  'by_day',
  'orders',
  'users',
  'sales',
  'nothing',
  'CUBE',
  'CUBE.id',
  'CUBE.nothing',
  'orders.id',
  'orders.count',
  'orders.paid',
  'orders.nothing',
  'users.id',
  'users.nothing',
  'users.count',
  'orders.users',
  'orders.users.city',
  'orders.created_at.day',
  'created_at.day',
  'created_at.half',
  'created_at.nothing',
  'orders.by_day',
  'orders.drill',
  'sales.status',
  'nothing.id',
  'securityContext.x',
  '*',
].flatMap((path) => [
  [path, path] as const,
  [`{${path}}`, `{${path}}`] as const,
  [`sql of {${path}}`, `x + {${path}}.id`] as const,
  [`{${path}} and a word`, `{${path}} day`] as const,
  [`half of {${path}}`, `{${path}`] as const,
]);

function keysIn(node: SchemaNode, seen = new Set<string>(), depth = 0): Set<string> {
  for (const [key, child] of node.keys) {
    if (!NOT_WRITTEN.has(key)) seen.add(key);
    if (depth < 6) keysIn(child, seen, depth + 1);
  }
  for (const child of [node.named, node.item]) if (child && depth < 6) keysIn(child, seen, depth + 1);
  return seen;
}

function changed(model: Value, { path, ...change }: Change): string {
  const copy = structuredClone(model) as Record<string | number, Value>;
  let at = copy;
  for (const step of path.slice(0, -1)) at = at[step] as typeof at;
  const last = path.at(-1) ?? '';
  if (change.key !== undefined) {
    // In the same place, because the order of the keys is a matter of its own.
    const pairs = Object.entries(at);
    for (const [key] of pairs) Reflect.deleteProperty(at, key);
    for (const [key, value] of pairs) at[key === last ? change.key : key] = value;
  } else if ('value' in change) at[last] = change.value;
  else Reflect.deleteProperty(at, last);
  return stringify(copy, { lineWidth: 0 });
}

/** Returns other spellings of a word in snake case, of which the engine converts some to the same key. */
function spellings(word: string): readonly string[] {
  const [first = '', ...rest] = word.split('_');
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = camel(capital);
  const loud = [first, ...rest.map((each) => each.toUpperCase())].join('_');
  const all = [capital, pascal, camel(word), loud, word.toUpperCase(), `${word}_`, `_${word}`, word.replace('_', '__')];
  return [...new Set(all)].filter((each) => each !== word);
}

function snake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camel(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
