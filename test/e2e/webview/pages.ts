import type { Page } from 'playwright-core';
import { launchChromium } from '../../tools/chromium.ts';
import { watchBrowser, watchPages } from '../../tools/given-up.ts';
import { longestWait } from '../../tools/limits.ts';
import { ORIGIN } from './page.ts';

/** A browser for the pages of one site, all drawn by one process, which knows the view's code from the page before. */
export interface Pages {
  open(viewport: { readonly width: number; readonly height: number }): Promise<Page>;
  close(): Promise<void>;
}

export async function openPages(): Promise<Pages> {
  const browser = await launchChromium({ args: ['--process-per-site'] });
  const close = watchBrowser(browser);
  const context = await browser.newContext({ baseURL: ORIGIN });
  watchPages(context);
  context.setDefaultTimeout(longestWait);
  // The process lives as long as one of its pages.
  const first = await context.newPage();
  await first.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await first.goto('/');
  const open = async (viewport: { readonly width: number; readonly height: number }): Promise<Page> => {
    const page = await context.newPage();
    await page.setViewportSize(viewport);
    return page;
  };
  return { open, close };
}
