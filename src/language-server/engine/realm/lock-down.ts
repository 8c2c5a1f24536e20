import { builtIn, call } from './built-in.ts';
import { recordBuiltIns } from './pristine.ts';

/**
 * Removes from the realm what a model must not have. Evaluated before anything else in the realm, while only our own code has
 * run; `closeRealm` removes the rest once the compiler is loaded.
 */

const exec = builtIn(RegExp.prototype, 'exec');

/** Refuses code that might contain a dynamic `import`: any with that word. Out of reach of models. */
let refuseImports = (code: string): void => {
  if (call(exec, /\bimport\b/, [code]) !== null)
    throw new EvalError('Code with the word “import” cannot be read here.');
};

/** Has code with the word `import` read by a parser. Called once, while only our own code has run. */
export function readImportsBy(parser: (code: string) => void): void {
  refuseImports = parser;
}

const nothing = (): undefined => undefined;

// Without a number here, V8 takes no stack traces, so the host's formatter never runs on top of a model's code.
Object.defineProperty(Error, 'stackTraceLimit', { get: nothing, set: nothing, configurable: false });

/** Node answers `import()` with a promise and an error of the host, so code that contains it is never compiled. */
const TrustedFunction = Function;
const sourceOf = builtIn(TrustedFunction.prototype, 'toString');
function GatedFunction(...parts: unknown[]): unknown {
  const made = call(TrustedFunction, undefined, parts) as object;
  refuseImports(`(${call(sourceOf, made, []) as string}\n)`);
  return made;
}
// `Function(…)` and `new Function(…)` do the same, and `instanceof Function` has to work as before.
Object.defineProperty(GatedFunction, 'prototype', { value: TrustedFunction.prototype });
Object.defineProperty(GatedFunction, 'name', { value: 'Function' });
replace(TrustedFunction.prototype, 'constructor', GatedFunction);
replace(globalThis, 'Function', GatedFunction);

// oxlint-disable-next-line no-eval -- models may call it, and this gate must pass their code on
const trustedEval = eval;
replace(globalThis, 'eval', function gatedEval(code: unknown): unknown {
  if (typeof code !== 'string') return code;
  refuseImports(code);
  return trustedEval(code);
});

for (const example of [async () => undefined, function* () {}, async function* () {}]) {
  replace(Object.getPrototypeOf(example) as object, 'constructor', function refused(): never {
    throw new EvalError('This kind of function cannot be made from text here.');
  });
}

/** Globals that could hold memory outside of the heap's limit, wait without end, run later, or compile machine code. */
const CLOSED = [
  'WebAssembly',
  'SharedArrayBuffer',
  'Atomics',
  'ArrayBuffer',
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'FinalizationRegistry',
  'WeakRef',
  'ShadowRealm',
  'console',
] as const;

/** Removes the last dangerous globals; the compiler keeps those that it needs (`kept.ts`). */
export function closeRealm(): void {
  for (const name of CLOSED) Reflect.deleteProperty(globalThis, name);
  baseline = new Set(Reflect.ownKeys(globalThis));
  recordBuiltIns();
}

let baseline: ReadonlySet<PropertyKey> = new Set();

/** Removes the globals that a model created, so that the next model does not find them. */
export function removeNewGlobals(): void {
  for (const key of Reflect.ownKeys(globalThis)) if (!baseline.has(key)) Reflect.deleteProperty(globalThis, key);
}

function replace(owner: object, key: string, value: unknown): void {
  // If a model assigns to the name, it gets its own value: the original is out of reach either way.
  Object.defineProperty(owner, key, { value, writable: true, enumerable: false, configurable: true });
}
