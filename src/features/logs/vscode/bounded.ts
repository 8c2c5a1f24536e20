import vm from 'node:vm';
import { isObject } from '#api/schema.ts';
import type { Bounded } from '#features/logs/log-match.ts';

/** The longest time that the extension host is blocked, in milliseconds. */
const limit = 40;

const work = new vm.Script('work()');

/** Returns a runner whose watchdog can stop even a single regular expression that would never terminate. */
export function watchdog(): Bounded {
  const global: { work: () => void } = { work: () => undefined };
  const context = vm.createContext(global);
  return (todo) => {
    global.work = todo;
    try {
      work.runInContext(context, { timeout: limit });
      return true;
    } catch (error) {
      // The error comes from another realm, so `instanceof` does not work.
      if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
      throw error;
    }
  };
}
