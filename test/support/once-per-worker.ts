const key = Symbol.for('modelbench: once per worker');
const holder = globalThis as { [key]?: Map<string, unknown> };

/**
 * Returns what `make` made at the first call with this name in a vitest worker. Unlike a variable of a module, it outlives
 * `vi.resetModules()`, after which each module is loaded again: a process or a thread of the former one would only be left behind.
 */
export function oncePerWorker<Value>(name: string, make: () => Value): Value {
  const made = (holder[key] ??= new Map<string, unknown>());
  if (!made.has(name)) made.set(name, make());
  return made.get(name) as Value;
}
