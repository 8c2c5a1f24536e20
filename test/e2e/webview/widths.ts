import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from './axe.ts';

/** In pixels: the narrowest side bar, an editor beside others, half of a window, and a whole one. */
const widths = [200, 300, 450, 900];

/** In milliseconds: for a page to draw itself in another width. A page that is too wide stays so. */
const drawn = 60_000;

/** What may be wider than its box, and scrolls inside it: rows of data, code, and drawings. */
const wide = {
  /** Tables of results and dashboards, and tables in answers. */
  table: '.grid, .table-scroll',
  /** Code, SQL and what the platform sent. */
  code: 'pre, textarea',
  /** The changed lines of a file. */
  diff: '.diff',
  /** The lines of a log, each of which stays in one line. */
  log: '.lines',
  /** The join graph, a dashboard in the width that it is made for, and an enlarged chart. */
  drawing: '.graph .container, .scroll, .large-chart-scroll',
} as const;

/**
 * Pictures of a page at these widths. At none of them does the page scroll sideways, nor a box in it that is not meant to; no
 * button or label is cut off, and axe finds nothing.
 */
export async function picturesAtEveryWidth(page: Page, folder: string, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(async () => tooWide(page), { timeout: drawn }).toEqual([]);
    await page.screenshot({ path: join(folder, `${name}-${width}.png`) });
    expect(await findings(page)).toEqual([]);
  }
}

/** What makes the page, or a box that is not meant to, scroll sideways: the innermost elements that reach over its edge. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate((meant) => {
    const outermost = document.documentElement;
    const scrolls = (box: Element): boolean => {
      if (box === outermost) return box.scrollWidth > window.innerWidth;
      const { overflowX, textOverflow } = getComputedStyle(box);
      // A text that ends in an ellipsis says that it is longer.
      const isShortened = overflowX === 'hidden' && textOverflow === 'ellipsis';
      return overflowX !== 'visible' && !isShortened && box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1;
    };
    return [...document.querySelectorAll('*')]
      .filter((box) => !box.matches(meant) && box.closest('svg') === null && scrolls(box))
      .flatMap((box) => {
        const edge =
          box === outermost ? window.innerWidth : box.getBoundingClientRect().left + box.clientLeft + box.clientWidth;
        const reaches = (element: Element): boolean => element.getBoundingClientRect().right > edge + 1;
        const inner = [...box.querySelectorAll('*')].filter(
          (element) => reaches(element) && element.closest(meant) === null && ![...element.children].some(reaches),
        );
        return [box, ...inner].map(({ outerHTML }) => outerHTML.slice(0, 200));
      });
  }, Object.values(wide).join(', '));
}
