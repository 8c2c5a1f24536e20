import { createContext, Script } from 'node:vm';
import { longestWait } from '../tools/limits.ts';

/**
 * Returns what `work` returns. Throws where it takes as long as only a hang does: no other limit ends work that never yields. For a
 * long text this shows that each character is read a limited number of times.
 */
export function withinLimit<T>(work: () => T): T {
  const context = createContext({ work });
  return new Script('work()').runInContext(context, { timeout: longestWait }) as T;
}
