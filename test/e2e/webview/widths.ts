import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from './axe.ts';

/** In pixels: the narrowest side bar, an editor beside others, half of a window, and a whole one. */
const widths = [200, 300, 450, 900];

/** In milliseconds: for a page to draw itself in another width. A page that is too wide stays so. */
const drawn = 60_000;

/** Pictures of a page at these widths. It never scrolls sideways as a whole, and axe finds nothing serious at any width. */
export async function picturesAtEveryWidth(page: Page, folder: string, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(async () => tooWide(page), { timeout: drawn }).toEqual([]);
    await page.screenshot({ path: join(folder, `${name}-${width}.png`) });
    expect(await findings(page)).toEqual([]);
  }
}

/** What makes the page scroll sideways: the innermost elements that reach over its edge. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    const reaches = (element: Element): boolean => element.getBoundingClientRect().right > window.innerWidth;
    return [...document.querySelectorAll('*')]
      .filter((element) => reaches(element) && ![...element.children].some(reaches))
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
}
