import { builtIn, call } from './built-in.ts';

const getOwnPropertyDescriptor = builtIn(
  Reflect,
  'getOwnPropertyDescriptor',
) as typeof Reflect.getOwnPropertyDescriptor;
const getPrototypeOf = builtIn(Reflect, 'getPrototypeOf') as typeof Reflect.getPrototypeOf;
const ownKeys = builtIn(Reflect, 'ownKeys') as typeof Reflect.ownKeys;
const is = builtIn(Object, 'is') as typeof Object.is;
const hasOwnProperty = builtIn(Object.prototype, 'hasOwnProperty');

/** One built-in object as it was before any model ran. */
interface Recorded {
  readonly object: object;
  readonly prototype: object | null;
  readonly keys: readonly PropertyKey[];
  /** The value, getter and setter of each, and whether it was fixed. */
  readonly values: readonly (readonly [unknown, unknown, unknown, boolean])[];
}

const recorded: Recorded[] = [];

/** Records every built-in object; called once, while only our own code has run. */
export function recordBuiltIns(): void {
  const seen = new Set<unknown>([globalThis]);
  const visit = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    const record = recordOf(value);
    recorded.push(record);
    visit(record.prototype);
    for (const [value, get, set] of record.values) for (const inner of [value, get, set]) visit(inner);
  };
  for (const name of BUILT_INS) visit(Reflect.get(globalThis, name));
  for (const example of [
    [][Symbol.iterator](),
    ''[Symbol.iterator](),
    ''.matchAll(/a/g),
    new Map().keys(),
    new Set().keys(),
  ])
    visit(getPrototypeOf(example));
  visit(getPrototypeOf((function* () {})()));
}

const BUILT_INS = (
  'Object Function Array String Number Boolean Symbol BigInt RegExp Date Promise Map Set WeakMap WeakSet Proxy Reflect Math JSON ' +
  'Error TypeError SyntaxError RangeError EvalError ReferenceError AggregateError URIError Iterator parseInt parseFloat'
).split(' ');

/** Whether every built-in is unchanged. Calls only functions that were taken from the built-ins before any model ran. */
export function isPristine(): boolean {
  for (let at = 0; at < recorded.length; at++) {
    const record = recorded[at];
    if (record && !isUnchanged(record)) return false;
  }
  return true;
}

function isUnchanged({ object, prototype, keys, values }: Recorded): boolean {
  const now = ownKeys(object);
  if (getPrototypeOf(object) !== prototype || now.length !== keys.length) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key === undefined || key !== now[at]) return false;
    const before = values[at];
    const found = getOwnPropertyDescriptor(object, key);
    if (!before || !found) return false;
    if (before[3]) continue;
    for (let index = 0; index < 3; index++) if (!is(before[index], own(found, FIELDS[index] ?? ''))) return false;
  }
  return true;
}

const FIELDS = ['value', 'get', 'set'] as const;

/**
 * Whether a property can never be changed, as it was before any model ran. Its value differs all the same where it is `arguments` or
 * `caller` of a function that is running.
 */
function isFixed(found: PropertyDescriptor | undefined): boolean {
  return found?.configurable === false && found.writable === false;
}

function own(descriptor: PropertyDescriptor, field: string): unknown {
  return (call(hasOwnProperty, descriptor, [field]) as boolean)
    ? (descriptor as Readonly<Record<string, unknown>>)[field]
    : undefined;
}

function recordOf(object: object): Recorded {
  const keys = ownKeys(object);
  const values = keys.map((key) => {
    const found = getOwnPropertyDescriptor(object, key);
    return [found?.value as unknown, found?.get, found?.set, isFixed(found)] as const;
  });
  return { object, prototype: getPrototypeOf(object), keys, values };
}
