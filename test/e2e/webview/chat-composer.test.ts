import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemQuestion } from '#features/chat/asked-about.ts';
import { findings } from './axe.ts';
import { ChatStage } from './stage.ts';
import { themes } from './themes.ts';

let stage: ChatStage;
beforeAll(async () => {
  stage = await ChatStage.open();
});
afterAll(() => stage.close());

describe('the composer in a browser', () => {
  it.each(themes.map(({ name }) => name))(
    'completes names and shows what is sent in the %s theme, and axe finds nothing',
    async (theme) => {
      const chat = await stage.chat(theme);
      const { page } = chat;
      const field = page.getByRole('textbox', { name: 'Question for the agent' });
      await page.getByRole('button', { name: 'Include Lines 3–9' }).waitFor();
      await field.fill('How is @ord');
      await page.getByRole('option', { name: 'orders.count' }).waitFor();
      await field.press('ArrowDown');
      for (const width of [250, 350, 600]) {
        await page.setViewportSize({ width, height: 700 });
        await chat.picture(`${theme}-composer-${width}`);
        await expect
          .poll(async () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
          .toBe(true);
      }
      expect(await findings(page)).toEqual([]);
      await field.press('Enter');
      await expect.poll(async () => field.inputValue()).toBe('How is orders.count ');
      await page.getByRole('button', { name: 'Remove orders.count' }).waitFor();
      await page.getByRole('button', { name: 'Include model/cubes/orders.yml' }).click();
      await chat.picture(`${theme}-composer-chips`);
      expect(await findings(page)).toEqual([]);
      expect(chat.problems).toEqual([]);
      await page.close();
    },
  );

  it.each(themes.map(({ name }) => name))(
    'writes what it offers for / and @ on one line in the %s theme',
    async (theme) => {
      const chat = await stage.chat(theme, { width: 600, height: 700 });
      const { page } = chat;
      const field = page.getByRole('textbox', { name: 'Question for the agent' });
      for (const [typed, offered] of [
        ['/', '/explain'],
        ['@', 'orders.count'],
      ] as const) {
        await field.fill(typed);
        await page.getByRole('option', { name: offered }).waitFor();
        const rows = await drawnRows(page);
        expect(rows.length).toBeGreaterThan(3);
        for (const { word, detail, left } of rows) {
          expect(detail - word).toBeCloseTo(0, 0);
          expect(left).toBe(rows[0]?.left);
        }
        await chat.picture(`${theme}-suggestions-${typed === '/' ? 'commands' : 'names'}`);
        expect(await findings(page)).toEqual([]);
        await field.fill('');
        await page.getByRole('listbox').waitFor({ state: 'detached' });
      }
      await page.close();
    },
  );

  it('takes attachments away again by keyboard, one after the other', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    const removes = page
      .getByRole('list', { name: 'Sent with the question' })
      .getByRole('button', { name: /^Remove / });
    const { ask, attached } = problemQuestion({
      path: 'model/cubes/orders.yml',
      line: 1,
      message: 'Unknown key “titel”.',
      fileText: 'titel: Orders',
    });
    for (const each of attached) chat.surface.attach({ ...each, id: each.label });
    chat.surface.compose(ask, true);
    const field = page.getByRole('textbox', { name: 'Question for the agent' });
    await expect.poll(async () => field.inputValue()).toBe('/fix ');
    // The question gets the focus a moment after its text, and would take it back.
    const hasFocus = (): Promise<boolean> => field.evaluate((each) => each === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await removes.first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => removes.count()).toBe(1);
    // A button that goes takes the focus with it: the next one has it, and then the question.
    await page.keyboard.press('Enter');
    await expect.poll(async () => removes.count()).toBe(0);
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.insertText('why');
    await expect.poll(async () => field.inputValue()).toBe('/fix why');
    await page.close();
  });
});

/** Where the texts of each offered line stand, in pixels: the baselines of its word and its detail, and its left edge. */
function drawnRows(page: Page): Promise<{ readonly word: number; readonly detail: number; readonly left: number }[]> {
  return page.getByRole('option').evaluateAll((options) =>
    options.map((option) => {
      const [word, detail] = [...option.querySelectorAll('span')].map((text) => {
        // An empty box stands on the baseline of the text before it.
        const box = document.createElement('i');
        box.style.display = 'inline-block';
        text.append(box);
        const { bottom } = box.getBoundingClientRect();
        box.remove();
        return bottom;
      });
      return {
        word: word ?? NaN,
        detail: detail ?? NaN,
        left: option.firstElementChild?.getBoundingClientRect().left ?? NaN,
      };
    }),
  );
}
