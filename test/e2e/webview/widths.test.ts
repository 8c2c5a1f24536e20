import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { findings } from './axe.ts';
import { openPages, type Pages } from './pages.ts';
import { tooWide } from './widths.ts';

let pages: Pages;
let page: Page;
beforeAll(async () => {
  pages = await openPages();
  page = await pages.open({ width: 300, height: 200 });
});
afterAll(() => pages.close());

const long = '<span style="white-space: nowrap; display: inline-block; width: 500px">long</span>';

describe('the check of widths', () => {
  it.each([
    ['the page', `<p>${long}</p>`],
    ['a box that scrolls', `<div style="overflow: auto">${long}</div>`],
    ['a box that cuts off', `<div style="overflow: hidden">${long}</div>`],
    ['a box beside a table', `<div style="overflow-y: auto">${long}<div class="table-scroll"></div></div>`],
  ])('finds what is too wide for %s', async (_, html) => {
    await page.setContent(html);
    expect((await tooWide(page)).at(-1)).toContain('long');
  });

  it.each([
    ['a table', `<div class="table-scroll" style="overflow: auto">${long}</div>`],
    ['code', `<pre style="overflow: auto">${long}</pre>`],
    ['a shortened text', `<div style="overflow: hidden; text-overflow: ellipsis; white-space: nowrap">${long}</div>`],
    ['what fits', '<div style="overflow: auto">short</div>'],
  ])('lets %s be', async (_, html) => {
    await page.setContent(html);
    await expect.poll(async () => tooWide(page)).toEqual([]);
  });
});

describe('the check of accessibility', () => {
  it('finds every element that is wrong, and again on a page that it has checked before', async () => {
    const pale = '<p style="color: #aaa; background: #fff">pale</p>';
    await page.setContent(`<main><button></button><button></button>${pale}<p>clear</p></main>`);
    // How many elements each rule is about.
    const found = async () =>
      Object.fromEntries((await findings(page)).map(([id, ...elements]) => [id, elements.length]));
    const wrong = { 'button-name': 2, 'color-contrast': 1 };
    expect(await found()).toMatchObject(wrong);
    expect(await found()).toMatchObject(wrong);
  });
});
