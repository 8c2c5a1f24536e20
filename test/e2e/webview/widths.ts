import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from './axe.ts';

/** In pixels: the narrowest side bar, an editor beside others, half of a window, and a whole one. */
const widths = [200, 300, 450, 900];

/** Pictures of a page at these widths. It never scrolls sideways as a whole, and axe finds nothing serious at any width. */
export async function picturesAtEveryWidth(page: Page, folder: string, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    await expect
      .poll(async () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBe(0);
    await page.screenshot({ path: join(folder, `${name}-${width}.png`) });
    expect(await findings(page)).toEqual([]);
  }
}
