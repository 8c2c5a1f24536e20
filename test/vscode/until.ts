import { setTimeout as delay } from 'node:timers/promises';

/** Between two looks, in milliseconds: without a pause, what is waited for would share its core with the looking. */
const pause = 100;

/** Looks until it is so; the runner ends what never comes true. For what comes with an event, wait for that instead. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(pause);
}
