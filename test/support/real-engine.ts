import { createEngine, type Engine } from '#platform/engine/index.ts';
import { oncePerWorker } from './once-per-worker.ts';

/**
 * Returns the platform's compiler, whose process all tests of a worker share: another one takes half a second of processor time
 * to start. It ends with the worker.
 */
export function realEngine(): Engine {
  const engine = oncePerWorker('engine', createEngine);
  return { ...engine, close: () => Promise.resolve() };
}
