import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Those that wait, the innermost last. */
const waiting: ((error: Error) => void)[] = [];

/**
 * Does what waits for windows or pages. Rejects with the reason as soon as {@link giveUp} says that nothing more can come: `expect.poll`
 * would not notice, because it takes an error for “not yet”.
 */
export async function unlessGivenUp<T>(work: () => Promise<T>): Promise<T> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  waiting.push(reject);
  try {
    return await Promise.race([work(), failed]);
  } finally {
    waiting.splice(waiting.lastIndexOf(reject), 1);
  }
}

/** Says why nothing that is waited for can come any more; nothing happens where nobody waits. */
export function giveUp(reason: string): void {
  waiting.at(-1)?.(new Error(reason));
}

/** Says why nothing more can come from a page, and closes it, which ends whatever is asked of it. */
export function giveUpOn(page: Page, reason: string): void {
  giveUp(reason);
  // A page that has crashed may be gone already.
  page.close({ reason }).catch(() => undefined);
}

/** Gives up on pages of a context that crash. */
export function watchPages(context: BrowserContext): void {
  context.on('page', (page) => {
    page.on('crash', () => giveUpOn(page, 'The page crashed: the browser ended the process that draws it.'));
  });
}

/** Gives up where a browser ends on its own; returns what closes it. */
export function watchBrowser(browser: Browser): () => Promise<void> {
  const lost = (): void => giveUp('The browser ended on its own.');
  browser.once('disconnected', lost);
  return async () => {
    browser.off('disconnected', lost);
    await browser.close();
  };
}
