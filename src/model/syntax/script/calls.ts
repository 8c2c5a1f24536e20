import type { CallExpression, Expression, MemberExpression, Super } from 'acorn';
import type { Constants } from './constants.ts';
import { kindOf, type Outcome, textOf } from './outcome.ts';
import type { ValueKind } from '#model/syntax/tree.ts';

/** Returns what the value of an expression is, if that is known. */
type Read = (node: Expression) => Outcome | undefined;

/**
 * Returns what a call yields whatever happens: of a function of the script that only returns something, of `String(…)` and the
 * like, and of usual methods of texts and lists.
 */
export function outcomeOfCall(
  { callee, optional, arguments: args }: CallExpression,
  constants: Constants,
  read: Read,
): Outcome | undefined {
  if (optional) return undefined;
  if (callee.type === 'Identifier') {
    const result = constants.result(callee.name);
    if (result) return read(result);
    return constants.isFree(callee.name) ? converted(callee.name, args, read) : undefined;
  }
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  return outcomeOfMethod(callee, callee.property.name, args, { constants, read });
}

/** Returns the kind of what `new X()` yields. */
export function kindOfNew(callee: Expression | Super, constants: Constants): ValueKind {
  if (callee.type !== 'Identifier' || !constants.isFree(callee.name)) return 'object';
  if (callee.name === 'Array') return 'list';
  return INSTANCES.has(callee.name) ? 'instance' : 'object';
}

/** Returns what `String(…)` and the like yield. */
function converted(name: string, [first]: CallExpression['arguments'], read: Read): Outcome | undefined {
  const kind = CONVERSIONS[name];
  if (!kind) return undefined;
  const given = first && first.type !== 'SpreadElement' ? read(first) : undefined;
  if (!given || !('value' in given)) return { kind };
  if (kind === 'text') return textOf(String(given.value));
  return { value: kind === 'number' ? Number(given.value) : Boolean(given.value) };
}

function outcomeOfMethod(
  { object }: MemberExpression,
  method: string,
  [first]: CallExpression['arguments'],
  { constants, read }: { readonly constants: Constants; readonly read: Read },
): Outcome | undefined {
  if (object.type === 'Identifier' && object.name === 'Object' && constants.isFree('Object')) {
    if (method === 'freeze') return first && first.type !== 'SpreadElement' ? read(first) : undefined;
    return outcome(OBJECT_METHODS[method]);
  }
  const kind = object.type === 'Super' ? undefined : kindOf(read(object));
  if (kind === 'text') return outcome(TEXT_METHODS[method]);
  return kind === 'list' ? outcome(LIST_METHODS[method]) : undefined;
}

function outcome(kind: ValueKind | undefined): Outcome | undefined {
  return kind && { kind };
}

/** Classes whose instances have no keys of their own and cannot be read like lists, as a `Set` can. */
const INSTANCES = new Set([
  'Date',
  'RegExp',
  'Number',
  'Boolean',
  'Promise',
  'Error',
  'TypeError',
  'RangeError',
  'WeakMap',
  'WeakSet',
]);
type Kinds = Readonly<Partial<Record<string, ValueKind>>>;
const CONVERSIONS: Kinds = withoutPrototype({ String: 'text', Number: 'number', Boolean: 'boolean' });
const OBJECT_METHODS: Kinds = withoutPrototype({ keys: 'list', values: 'list', entries: 'list', fromEntries: 'map' });
const TEXT_METHODS: Kinds = withoutPrototype({
  ...Object.fromEntries(
    ['trim', 'toUpperCase', 'toLowerCase', 'replace', 'replaceAll', 'slice', 'substring', 'concat', 'repeat'].map(
      (name) => [name, 'text' as const],
    ),
  ),
  split: 'list',
});
const LIST_METHODS: Kinds = withoutPrototype({
  map: 'list',
  filter: 'list',
  slice: 'list',
  concat: 'list',
  flatMap: 'list',
  join: 'text',
});

function withoutPrototype(kinds: Kinds): Kinds {
  return Object.assign(Object.create(null) as Kinds, kinds);
}
