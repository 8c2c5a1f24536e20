import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { delta } from '#support/chat/answer-lines.ts';
import { answer, chartAnswer, cutoff } from './answers.ts';
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
    const sides = async () =>
      page.locator('.prompt-text, .answer .markdown p, .answer .markdown li').evaluateAll((blocks) =>
        blocks.map((block) => {
          const text = document.createRange();
          text.selectNodeContents(block);
          const [written, place] = [text.getBoundingClientRect(), block.getBoundingClientRect()];
          return written.left - place.left > place.right - written.right ? 'right' : 'left';
        }),
      );
    await expect.poll(sides).toEqual(['right', 'right', 'left', 'left', 'left']);
    const marks = async () =>
      page
        .locator('.answer .markdown li')
        .evaluateAll((items) => items.map((item) => getComputedStyle(item).listStyleType));
    await expect.poll(marks).toEqual(['none', 'none', 'disc']);
    await page.close();
  });

  it('says under a chart what is not in it', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    const spec = {
      mark: 'bar',
      params: [{ name: 'chosen', select: 'point' }],
      encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } },
    };
    const rows = [
      ['x', '1'],
      ['y', null],
      ['z', 'Infinity'],
    ];
    chat.transport.answer(chartAnswer({ columns: { a: 'string', b: 'number' }, rows, spec }));
    await chat.ask('Draw');
    await chat.answered();
    await page.locator('.chart-place svg').waitFor();
    await page.getByText('2 of 3 rows have no value in “b”.').waitFor();
    await page.getByText('Not supported here and left out: params').waitFor();
    const read = async () =>
      page.locator('.chart-place [aria-label]').evaluateAll((all) => all.map((each) => each.ariaLabel));
    await expect.poll(read).toContain('a: x; b: 1');
    expect((await read()).filter((text) => /NaN|null|undefined|Infinity/.test(text ?? ''))).toEqual([]);
    await chat.picture('chart-remarks');
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
    const toEnd = page.getByRole('button', { name: 'Go to the End' });
    // The end may come into sight only when its blocks have been measured.
    await expect.poll(async () => toEnd.isVisible()).toBe(false);
    await page.keyboard.press('Shift+Space');
    await expect.poll(async () => toEnd.isVisible()).toBe(true);
    await page.close();
  });

  it('stays where text is selected while the answer grows', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 420 });
    const { page } = chat;
    const paragraphs = Array.from({ length: 40 }, (_, n) => delta(`Paragraph ${n} of an answer.\n\n`));
    chat.transport.answer([cutoff, ...paragraphs, delta('never')], 41);
    await chat.ask('Tell');
    const last = page.getByText('Paragraph 39 of an answer.');
    await last.waitFor();
    const topOf = (): Promise<number> => last.evaluate((element) => element.getBoundingClientRect().top);
    await last.dblclick({ position: { x: 20, y: 8 } });
    await expect.poll(async () => page.evaluate(() => document.getSelection()?.toString().trim())).not.toBe('');
    const before = await topOf();
    await page.evaluate(async () => {
      const grown = document.createElement('div');
      grown.style.height = '900px';
      document.querySelector('.log-content')?.append(grown);
      for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    await page.close();
  });

  it('draws a long thread upwards without moving what is read', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 600 });
    const { page } = chat;
    await holdFrames(page);
    await post(page, longThread);
    const answers = page.locator('.turn .answer');
    await page.getByText('Answer 30, line 1', { exact: true }).waitFor();
    await expect.poll(async () => answers.count()).toBe(6);
    await page.locator('[role=log]').hover();
    const toEnd = page.getByRole('button', { name: 'Go to the End' });
    const read = page.locator('.turn').nth(28);
    const topOf = (): Promise<number> => read.evaluate((turn) => Math.round(turn.getBoundingClientRect().top));
    let before = Number.NaN;
    // A page that is busy loses what is turned at the wheel; the wheel turns smoothly, and answers that come into sight are
    // measured only then, which may bring the end back. Wait for where all of it ends.
    await expect
      .poll(async () => {
        if (!(await toEnd.isVisible())) await page.mouse.wheel(0, -300);
        await nextFrames(page);
        const last = before;
        before = await topOf();
        return before === last && (await toEnd.isVisible());
      })
      .toBe(true);
    await releaseFrames(page);
    await expect.poll(async () => answers.count()).toBe(30);
    await expect.poll(async () => page.locator('[aria-busy]').count()).toBe(0);
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    await toEnd.click();
    await expect
      .poll(async () =>
        page.getByRole('log').evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight)),
      )
      .toBeLessThan(2);
    await expect
      .poll(async () => page.getByRole('heading', { level: 2 }).allTextContents())
      .toEqual(longThread.thread.turns.map(({ head }) => head.prompt));
    await page.close();
  });

  it('searches a long thread as a whole before all of it is drawn', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 600 });
    const { page } = chat;
    await holdFrames(page);
    await post(page, longThread);
    await page.getByText('Answer 30, line 1', { exact: true }).waitFor();
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Find in this thread' }).fill('Answer 2, line 7');
    await page.getByRole('search').getByText('1 of 1').waitFor();
    await expect.poll(async () => page.locator('.turn .answer').count()).toBe(30);
    await releaseFrames(page);
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
      /** How many sides are shown, whether there are others, and how many of those look as if they were shown. */
      const drawn = async () => {
        const all = await page.locator('.result .sides button').evaluateAll((buttons) =>
          buttons.map((button) => {
            const { backgroundColor, borderColor, boxShadow } = getComputedStyle(button);
            return {
              isShown: button.getAttribute('aria-pressed') === 'true',
              look: `${backgroundColor} ${borderColor} ${boxShadow}`,
            };
          }),
        );
        const shown = all.filter(({ isShown }) => isShown).map(({ look }) => look);
        const others = all.filter(({ isShown }) => !isShown).map(({ look }) => look);
        return {
          shown: shown.length,
          hasOthers: others.length > 0,
          alike: others.filter((look) => shown.includes(look)).length,
        };
      };
      await expect.poll(drawn).toEqual({ shown: 1, hasOthers: true, alike: 0 });
      await page.close();
    },
  );
});

const longThread = {
  type: 'snapshot',
  epoch: 1_000,
  seq: 0,
  thread: {
    key: 'long',
    title: 'Long',
    elsewhere: false,
    turns: Array.from({ length: 30 }, (_, at) => ({
      head: {
        id: `${1_700_000_000_000 + at}-message`,
        prompt: `Question ${at + 1}`,
        attached: [],
        quiet: false,
        startedAt: 1,
        phase: 'complete',
      },
      messages: [
        {
          id: `f${at}`,
          text: Array.from({ length: 12 }, (__, line) => `Answer ${at + 1}, line ${line + 1}`).join('\n\n'),
          thinking: '',
          isFinal: true,
          isInProcess: false,
        },
      ],
    })),
    earlier: 0,
    queued: [],
  },
  threads: [],
  header: { examples: [], sendWith: 'enter', fontSize: 0 },
  attachments: [],
};

function post(page: Page, message: object): Promise<void> {
  return page.evaluate((data) => window.postMessage(data, '*'), message);
}

interface HeldFrames {
  held?: Map<number, FrameRequestCallback> | undefined;
  /** The browser's own function. */
  request?: typeof requestAnimationFrame;
}

/** Lets no frame of the page's own code begin until they are released, so that what one draws can be looked at. */
async function holdFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const held = new Map<number, FrameRequestCallback>();
    const [request, cancel] = [window.requestAnimationFrame, window.cancelAnimationFrame];
    let last = -1;
    const own = window as unknown as HeldFrames;
    own.held = held;
    own.request = request.bind(window);
    window.requestAnimationFrame = (work) => {
      if (!own.held) return request.call(window, work);
      held.set(--last, work);
      return last;
    };
    window.cancelAnimationFrame = (id) => {
      if (!held.delete(id)) cancel.call(window, id);
    };
  });
}

/** Resolves once the browser has drawn two more frames, although the page's own code gets none. */
async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { request = requestAnimationFrame } = window as unknown as HeldFrames;
    for (let frames = 0; frames < 2; frames += 1) await new Promise(request);
  });
}

async function releaseFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const own = window as unknown as HeldFrames;
    const works = [...(own.held?.values() ?? [])];
    own.held = undefined;
    for (const work of works) requestAnimationFrame(work);
  });
}
