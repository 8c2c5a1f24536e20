import vm from 'node:vm';
import { isObject } from '#api/schema.ts';
import type { Bounded } from '#features/logs/log-match.ts';

/** The longest that the extension host is held, in milliseconds. */
const limit = 40;

const work = new vm.Script('work()');

/** Runs work under a watchdog that ends even a single regular expression that would never end. */
export function watchdog(): Bounded {
  const global: { work: () => void } = { work: () => undefined };
  const context = vm.createContext(global);
  return (todo) => {
    global.work = todo;
    try {
      work.runInContext(context, { timeout: limit });
      return true;
    } catch (error) {
      // It is of another realm: no `instanceof` knows it.
      if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
      throw error;
    }
  };
}
