import type { Page } from 'playwright-core';
import { expect } from 'vitest';

let counters = 0;

/**
 * Counts events of a user's device in a window, and in the web pages that it opens from now on, so that a journey can show that the
 * device was not used. Text that is inserted without keys is not counted.
 */
export async function countUse(page: Page, types: readonly string[]): Promise<() => number> {
  let count = 0;
  counters += 1;
  const name = `modelbenchDeviceUsed${counters}`;
  await page.exposeBinding(name, () => (count += 1));
  const listen = (given: { readonly name: string; readonly types: readonly string[] }): void => {
    const used = Reflect.get(globalThis, given.name) as () => void;
    const onEvent = (event: Event): void => (event.isTrusted ? used() : undefined);
    for (const type of given.types) globalThis.addEventListener(type, onEvent, { capture: true });
  };
  await page.addInitScript(listen, { name, types });
  await page.evaluate(listen, { name, types });
  return () => count;
}

/** The device whose events were counted was not used. */
export function expectUnused(count: number): void {
  expect(count).toBe(0);
}
