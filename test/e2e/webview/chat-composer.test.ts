import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    'completes names and shows what is sent in the %s theme, and axe finds nothing serious',
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
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
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
});
