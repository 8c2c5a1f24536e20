import { createEngine, type Engine } from '#platform/engine/index.ts';

let engine: Engine | undefined;

/**
 * Returns the platform's compiler, whose process all tests of a worker share: another one takes half a second of processor time
 * to start. It ends with the worker.
 */
export function realEngine(): Engine {
  engine ??= createEngine();
  return { ...engine, close: () => Promise.resolve() };
}
