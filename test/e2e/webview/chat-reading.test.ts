import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { answer } from './answers.ts';
import { ChatStage } from './stage.ts';
import { themes } from './themes.ts';

let stage: ChatStage;
beforeAll(async () => {
  stage = await ChatStage.open();
});
afterAll(() => stage.close());

describe('an answer as it is read', () => {
  it('begins at the right where its language does, and a task has its box and no bullet', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    chat.transport.answer(answer('הכנסות לפי חודש\n\n- [x] Sums add up\n- [ ] Compare with last year\n- plain\n'));
    await chat.ask('כמה הזמנות היו?');
    await chat.answered();
    await chat.picture('right-to-left');
    const sides = await page.locator('.prompt-text, .answer .markdown p, .answer .markdown li').evaluateAll((blocks) =>
      blocks.map((block) => {
        const text = document.createRange();
        text.selectNodeContents(block);
        const [written, place] = [text.getBoundingClientRect(), block.getBoundingClientRect()];
        return written.left - place.left > place.right - written.right ? 'right' : 'left';
      }),
    );
    expect(sides).toEqual(['right', 'right', 'left', 'left', 'left']);
    const marks = await page
      .locator('.answer .markdown li')
      .evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType));
    expect(marks).toEqual(['none', 'none', 'disc']);
    await page.close();
  });

  it('stays where it is read once Shift+Space has left its end', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 420 });
    const { page } = chat;
    chat.transport.answer(answer(Array.from({ length: 60 }, (_, line) => `Line ${line}`).join('\n\n')));
    await chat.ask('Count');
    await chat.answered();
    await page.getByText('Line 59').waitFor();
    await page.locator('[role=log]').focus();
    const toEnd = page.getByRole('button', { name: 'Go to the end' });
    expect(await toEnd.isVisible()).toBe(false);
    await page.keyboard.press('Shift+Space');
    await expect.poll(async () => toEnd.isVisible()).toBe(true);
    await page.close();
  });

  it.each(themes.map(({ name }) => name))(
    'says by its drawing which side of a result is shown in the %s theme',
    async (theme) => {
      const chat = await stage.chat(theme);
      const { page } = chat;
      chat.transport.answer(recordedLines('by-month'));
      await chat.ask('Show revenue by month as a chart');
      await chat.answered();
      await page.locator('.chart-place svg').waitFor();
      const drawn = await page.locator('.result .sides button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { backgroundColor, borderColor, boxShadow } = getComputedStyle(button);
          return {
            isShown: button.getAttribute('aria-pressed') === 'true',
            look: `${backgroundColor} ${borderColor} ${boxShadow}`,
          };
        }),
      );
      const shown = drawn.filter(({ isShown }) => isShown).map(({ look }) => look);
      const others = drawn.filter(({ isShown }) => !isShown).map(({ look }) => look);
      expect(shown).toHaveLength(1);
      expect(others.length).toBeGreaterThan(0);
      expect(others).not.toContain(shown[0]);
      await page.close();
    },
  );
});
