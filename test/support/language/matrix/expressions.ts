import { type AnyNode, parse, type Property } from 'acorn';
import { full } from 'acorn-walk';
import { parseFile } from '#model/file.ts';
import { canonicalKey, language } from '#model/language/language.ts';
import { walkEntity } from '#model/typed.ts';
import { toScript } from '../to-script.ts';
import { BASE_MODELS } from './base-models.ts';
import type { Mutant } from './mutants.ts';

/** Declarations in front of each script, to which the expressions refer. */
const DECLARATIONS = `const TEXT = 'status';
const NUMBER = 1;
const LIST = ['status'];
const OBJECT = { sql: \`id\`, type: 'number' };
const textOf = () => 'status';
`;

/** Expressions of which the value or its kind follows from how they are written. */
const EXPRESSIONS: readonly string[] = [
  `'a' + 'b'`,
  `'a' + TEXT`,
  `TEXT + TEXT`,
  `NUMBER + 1`,
  `TEXT`,
  `NUMBER`,
  `OBJECT`,
  `textOf()`,
  `textOf`,
  'String(`a`)',
  `Number('1')`,
  `Boolean(1)`,
  `undefined`,
  `void 0`,
  `null`,
  `NaN`,
  `-1`,
  `1.5`,
  `!0`,
  `!1`,
  `5n`,
  `() => 'status'`,
  `() => [TEXT]`,
  `() => ({})`,
  `function () { return 'status'; }`,
  `async () => 'status'`,
  `[undefined]`,
  `[null]`,
  `[,]`,
  `[TEXT]`,
  `[5]`,
  `[true]`,
  `[[]]`,
  `[{}]`,
  `['a' + 'b']`,
  `[() => 'status']`,
  `[textOf()]`,
  `TEXT ? 'status' : 'id'`,
  `TEXT || 'id'`,
  `NUMBER && 'id'`,
  `TEXT ?? 'id'`,
  `(0, 'status')`,
  '`status`',
  '`${TEXT}`',
  `''`,
  `' '`,
  `'status'`,
  `true`,
  `0`,
  `{}`,
  `[]`,
];

/** Expressions of which only running them shows what they yield: what is wrong with them is not missed. */
const RUN: readonly string[] = [
  '/a/',
  'new Map()',
  'new Date(0)',
  'new Date()',
  '{ ...OBJECT }',
  'Infinity',
  '+1',
  '-TEXT',
  'Object.freeze({})',
  `LIST`,
  `OBJECT.type`,
  `OBJECT['type']`,
  `LIST[0]`,
  `LIST.join(',')`,
  `LIST.map((item) => item)`,
  `[...LIST]`,
  `(cube) => cube`,
  `() => {}`,
  `() => undefined`,
  'String.raw`status`',
  `typeof TEXT`,
];

/** Values of keys that helpers pass on although nobody gave one: only running the script shows what `undefined` does. */
const EMPTY: readonly string[] = ['undefined', 'null', `''`, 'false', '[]', '{}', '0'];

/** Yields the base models as scripts, with one value replaced by an expression, one key written in another way, or one more key. */
export function* scriptMutants(): Iterable<Mutant> {
  for (const [name, text] of Object.entries(BASE_MODELS)) {
    const script = DECLARATIONS + (toScript('matrix', text) ?? '');
    for (const place of placesIn(script)) {
      const mutant = (written: string, { start, end }: Range, mayMiss: boolean): Mutant => ({
        name: `${name} as a script: ${place.path}: ${written}`,
        kind: 'expression',
        path: 'm.js',
        mayMiss,
        text: () => script.slice(0, start) + written + script.slice(end),
      });
      for (const expression of EXPRESSIONS) yield mutant(expression, place, place.mayMiss);
      for (const expression of RUN) yield mutant(expression, place, true);
      const { property } = place;
      if (!property) continue;
      for (const [written, mayMiss] of spellings(script, property)) yield mutant(written, property, mayMiss);
    }
    yield* withEmptyKeys(name, script);
  }
}

/** Yields a script with one more key in one of its objects, which has an empty value. */
function* withEmptyKeys(name: string, script: string): Iterable<Mutant> {
  for (const { shape, start, keys } of objectsIn(script))
    for (const key of keys)
      for (const value of EMPTY)
        yield {
          name: `${name} as a script: ${shape} at ${start}: ${key}: ${value}`,
          kind: 'expression',
          path: 'm.js',
          mayMiss: value === 'undefined',
          text: () => `${script.slice(0, start + 1)} ${key}: ${value}, ${script.slice(start + 1)}`,
        };
}

interface Described {
  readonly shape: string;
  /** The offset of its opening brace. */
  readonly start: number;
  /** The documented keys that it does not have. */
  readonly keys: readonly string[];
}

function objectsIn(script: string): readonly Described[] {
  const found: Described[] = [];
  for (const { chunk, start } of parseFile('m.js', script).chunks)
    for (const entity of chunk.entities)
      walkEntity(entity, ({ shape, node }) => {
        const at = start + node.start;
        if (!shape || node.kind !== 'map' || script[at] !== '{') return;
        const written = new Set(node.pairs.map(({ key }) => canonicalKey(shape, key.value)));
        const keys = Object.entries(language[shape].keys).filter(([key, info]) => !info?.hidden && !written.has(key));
        found.push({ shape, start: at, keys: keys.map(([key]) => key) });
      });
  return found;
}

/** Returns a property in other ways to write it, and whether only running it shows what it holds. */
function spellings(script: string, { key, value }: Property): readonly (readonly [string, boolean])[] {
  const written = script.slice(value.start, value.end);
  const name = script.slice(key.start, key.end).replaceAll('"', '');
  const body = `{ return ${written}; }`;
  return [
    [`['${name}']: ${written}`, false],
    [`[\`${name}\`]: ${written}`, true],
    [`['${name.slice(0, 1)}' + '${name.slice(1)}']: ${written}`, true],
    [`[TEXT]: ${written}`, true],
    [`[NUMBER]: ${written}`, false],
    [`get ${name}() ${body}`, false],
    [`set ${name}(value) {}`, true],
    [`${name}() ${body}`, false],
    [`async ${name}() ${body}`, true],
    [`...{ ${name}: ${written} }`, true],
    [`${name}: ${written}, ${name}: ${written}`, false],
    ['...null', false],
    ['...undefined', false],
    [`__proto__: { ${name}: ${written} }`, true],
  ];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Place extends Range {
  readonly path: string;
  readonly property?: Property;
  /** Whether members of the model or a name stand there: without them, other parts of the model are wrong. */
  readonly mayMiss: boolean;
}

const NAMES = /^(?:dimensions|measures|segments|hierarchies|cubes|includes|joinPath|join_path|name)$/;

/** Returns the values and items of the definitions of a script. */
function placesIn(script: string): readonly Place[] {
  const places: Place[] = [];
  full(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    if (node.start < DECLARATIONS.length) return;
    if (node.type === 'Property') {
      const property = node as Property;
      const { key, value } = property;
      const name = script.slice(key.start, key.end);
      const path = `${name} at ${key.start - DECLARATIONS.length}`;
      const mayMiss = NAMES.test(name);
      places.push({ path, ...rangeOf(value), property, mayMiss });
      if (value.type === 'ArrayExpression') places.push(...itemsOf(value.elements, mayMiss));
    }
    if (node.type === 'CallExpression') places.push(...itemsOf(node.arguments, true));
  });
  return places.sort((a, b) => a.start - b.start || a.end - b.end);
}

function rangeOf({ start, end }: AnyNode): Range {
  return { start, end };
}

function itemsOf(items: readonly (AnyNode | null)[], mayMiss: boolean): readonly Place[] {
  return items.flatMap((item) =>
    item ? [{ path: `item at ${item.start - DECLARATIONS.length}`, ...rangeOf(item), mayMiss }] : [],
  );
}
