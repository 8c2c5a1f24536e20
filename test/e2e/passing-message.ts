import type { Page } from 'playwright-core';
import { untilTrue } from './until.ts';

/**
 * A message of the status bar that passes after seconds, or when the next one comes. The window keeps all of them for tests
 * that look late; one that was waited for is taken from those kept, with all before it.
 */
export class PassingMessage {
  readonly #page: Page;
  readonly #text: string | RegExp;

  constructor(page: Page, text: string | RegExp) {
    this.#page = page;
    this.#text = text;
  }

  async waitFor(): Promise<void> {
    await untilTrue(async () => this.#take());
  }

  async #take(): Promise<boolean> {
    const kept = await this.#page.evaluate(() => Reflect.get(globalThis, 'passingMessages') as readonly string[]);
    const at = kept.findIndex((said) => this.#isMeant(said));
    await this.#page.evaluate((count) => {
      (Reflect.get(globalThis, 'passingMessages') as string[]).splice(0, count);
    }, at + 1);
    return at !== -1;
  }

  #isMeant(said: string): boolean {
    return typeof this.#text === 'string' ? said.includes(this.#text) : this.#text.test(said);
  }
}
