import module from 'node:module';

/** The globals that the language itself defines, without those that allocate or wait outside of the heap's limit. */
const LANGUAGE: ReadonlySet<string> = new Set(
  (
    'Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error ' +
    'AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer ' +
    'Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray ' +
    'Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet WeakRef Proxy Reflect FinalizationRegistry ' +
    'decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN'
  ).split(' '),
);

/**
 * Removes from this process what code that escaped from the realm could use: it leaves only the language's own globals, a process
 * object that does nothing, no way to load a module, and frozen built-ins. The realm is the boundary; this is the second line of
 * defence.
 */
export function emptyHost(): void {
  emptyProcess();
  const refuse = (): never => {
    throw new Error('There is nothing here.');
  };
  const loader = module as unknown as Record<string, unknown>;
  for (const name of [
    '_load',
    '_resolveFilename',
    'createRequire',
    'register',
    'registerHooks',
    'runMain',
    '_extensions',
  ])
    loader[name] = refuse;
  Object.assign(module.prototype, { require: refuse, load: refuse, _compile: refuse });
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!LANGUAGE.has(name)) Reflect.deleteProperty(globalThis, name);
  for (const name of LANGUAGE) freeze(Reflect.get(globalThis, name), new Set());
}

function emptyProcess(): void {
  const nothing = (): void => undefined;
  for (
    let owner: object | null = process;
    owner && owner !== Object.prototype;
    owner = Object.getPrototypeOf(owner) as object
  ) {
    for (const key of Reflect.ownKeys(owner)) {
      // Node itself reads the platform from the process.
      if (key === 'platform' || key === 'versions' || key === 'version' || key === 'arch') continue;
      const found = Object.getOwnPropertyDescriptor(owner, key);
      if (!found?.configurable) continue;
      const value: unknown = typeof found.value === 'function' ? nothing : undefined;
      Object.defineProperty(owner, key, { value, writable: true, configurable: true, enumerable: false });
    }
  }
}

/** Freezes a built-in and everything reachable from it. */
function freeze(value: unknown, seen: Set<unknown>): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  if (value === globalThis) return;
  seen.add(value);
  Object.freeze(value);
  freeze(Object.getPrototypeOf(value), seen);
  for (const key of Reflect.ownKeys(value)) {
    for (const each of Object.values(Object.getOwnPropertyDescriptor(value, key) ?? {})) freeze(each, seen);
  }
}
