import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { findings } from './axe.ts';
import { delta } from '#support/chat/answer-lines.ts';
import { answer, cutoff } from './answers.ts';
import { ChatStage } from './stage.ts';
import { themes } from './themes.ts';
import { tooWide } from './widths.ts';

/** How opaque the corner of a picture is: 255 is fully. */
const alphaOf = (page: Page, png: string): Promise<number | undefined> =>
  page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    return context?.getImageData(1, 1, 1, 1).data[3];
  }, png);

const widthOf = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().width);

let stage: ChatStage;
beforeAll(async () => {
  stage = await ChatStage.open();
});
afterAll(() => stage.close());

describe('the chat view in a browser', () => {
  it.each(themes.map(({ name }) => name))(
    'shows a whole conversation in the %s theme, and axe finds nothing',
    async (theme) => {
      const chat = await stage.chat(theme);
      await chat.page.getByRole('heading', { name: 'Ask about your data' }).waitFor();
      await chat.picture(`${theme}-empty`);
      expect(await findings(chat.page)).toEqual([]);

      chat.transport.answer(recordedLines('by-month'));
      await chat.ask('Show revenue by month as a chart');
      await chat.answered();
      await chat.page.locator('.chart-place svg').waitFor();
      await chat.picture(`${theme}-chart`);
      await chat.page.getByRole('button', { name: 'Save Chart as PNG…' }).click();
      await expect.poll(() => chat.asked.find(([what]) => what === 'saveImage')).toBeDefined();
      const [, , , png] = chat.asked.find(([what]) => what === 'saveImage') ?? [];
      // Its texts have the colours of the theme, so it needs the theme's ground.
      await expect.poll(async () => alphaOf(chat.page, String(png))).toBe(255);
      const inText = await widthOf(chat.page, '.result .chart-place svg');
      await chat.page.getByRole('button', { name: 'Enlarge Chart' }).click();
      const large = chat.page.getByRole('dialog');
      await large.locator('svg.marks').waitFor();
      await chat.picture(`${theme}-large-chart`);
      await expect.poll(async () => widthOf(chat.page, 'dialog svg.marks')).toBeGreaterThan(1.5 * inText);
      expect(await findings(chat.page)).toEqual([]);
      for (const width of [250, 350, 600, 1200]) {
        await chat.page.setViewportSize({ width, height: 760 });
        // In a narrow view, the chart keeps its width and its dialog scrolls.
        await expect.poll(() => widthOf(chat.page, 'dialog svg.marks')).toBeGreaterThan(width > 720 ? 1000 : 700);
        await chat.picture(`${theme}-large-chart-${width}`);
        await expect.poll(async () => tooWide(chat.page)).toEqual([]);
      }
      await chat.page.setViewportSize({ width: 420, height: 760 });
      await chat.page.keyboard.press('Escape');
      await large.waitFor({ state: 'detached' });
      await chat.page.getByRole('button', { name: 'Enlarge Chart' }).and(chat.page.locator(':focus')).waitFor();
      await chat.page.locator('.steps > summary').click();
      await chat.page.locator('.tool > summary').last().click();
      await chat.page.locator('.tool [role=gridcell]').first().waitFor();
      await chat.page.locator('.prompt').scrollIntoViewIfNeeded();
      await chat.picture(`${theme}-steps`);
      for (const [name, width] of Object.entries({ 200: 200, 300: 300, 450: 450, 600: 600, wide: 1200 })) {
        await chat.page.setViewportSize({ width, height: 760 });
        await chat.picture(`${theme}-${name}`);
        await expect.poll(() => tooWide(chat.page)).toEqual([]);
        // Also what stands in the empty field is read whole.
        const field = chat.page.getByRole('textbox', { name: 'Question for the agent' });
        await expect
          .poll(async () => field.evaluate((element) => element.scrollHeight <= element.clientHeight))
          .toBe(true);
      }
      expect(await findings(chat.page)).toEqual([]);
      for (const width of [250, 350, 600]) {
        await chat.page.setViewportSize({ width, height: 760 });
        await chat.page.locator('.result').getByRole('button', { name: 'More Actions' }).click();
        await chat.page.getByRole('menuitem', { name: 'Save as Markdown…' }).scrollIntoViewIfNeeded();
        await chat.picture(`${theme}-menu-${width}`);
        expect(await findings(chat.page)).toEqual([]);
        await chat.page.keyboard.press('Escape');
        await chat.page.getByRole('menu').waitFor({ state: 'detached' });
      }
      expect(chat.problems).toEqual([]);
      await chat.page.close();
    },
  );

  it('draws only the charts of a thread that come into sight', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 420 });
    const { page } = chat;
    for (const question of ['one', 'two', 'three', 'four']) {
      // A message of another turn would continue that one.
      const lines = JSON.stringify(recordedLines('by-month')).replaceAll(/"id":"(?!__)/g, `"id":"${question}-`);
      chat.transport.answer(JSON.parse(lines) as readonly unknown[]);
      await chat.ask(question);
      await chat.answered();
    }
    chat.told.length = 0;
    await chat.reload();
    const charts = page.locator('.chart-place');
    await charts.last().locator('svg').waitFor();
    await expect.poll(async () => charts.count()).toBe(4);
    // A chart out of sight is not even asked for, and would have been before the last one.
    const [first] = chat.surface.thread.turns;
    expect(chat.told).not.toContainEqual(expect.objectContaining({ type: 'chart', turn: first?.id }));
    expect(await charts.first().locator('svg').count()).toBe(0);
    // A reader turns the wheel; what only a script scrolls goes back to the end when something is laid out late.
    await charts.last().hover();
    await page.mouse.wheel(0, -200);
    await charts.first().scrollIntoViewIfNeeded();
    await charts.first().locator('svg').waitFor();
    await page.close();
  });

  it('stops with Esc: ends at once, text kept, nothing sent again; nothing moves for those who want that', async () => {
    const chat = await stage.chat();
    // Held after two words until it is aborted.
    chat.transport.answer([cutoff, delta('One '), delta('two '), delta('three')], 3);
    await chat.ask('Count');
    await chat.page.getByText('One two').waitFor();
    const moves = (): Promise<string> =>
      chat.page
        .locator('.dots i')
        .first()
        .evaluate((dot) => getComputedStyle(dot).animationName);
    await expect.poll(async () => moves()).toBe('pulse');
    await chat.page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(async () => moves()).toBe('none');
    await chat.page.keyboard.press('Escape');
    await chat.page.getByText('Stopped.').waitFor();
    await chat.picture('stopped');
    await expect.poll(async () => chat.page.locator('.answer .markdown').textContent()).toBe('One two ');
    expect(chat.transport.aborts).toEqual(['c']);
    expect(chat.transport.requests).toHaveLength(1);
    await expect.poll(async () => chat.page.getByRole('status').textContent()).toBe('Stopped');
    await chat.page.locator('textarea:focus').waitFor();
    await chat.page.close();
  });

  // @shows chat-complaint-11
  it('continues after a reload in the middle, with nothing lost or doubled, and keeps the draft', async () => {
    const chat = await stage.chat();
    chat.transport.answer([cutoff, delta('One '), delta('two '), delta('three')], 3);
    await chat.ask('Count');
    await chat.page.getByText('One two').waitFor();
    await chat.page.getByRole('textbox', { name: 'Question for the agent' }).fill('and then?');
    await chat.reload();
    await chat.page.getByText('One two').waitFor();
    await expect.poll(async () => chat.page.locator('.answer .markdown').textContent()).toBe('One two ');
    await expect
      .poll(async () => chat.page.getByRole('textbox', { name: 'Question for the agent' }).inputValue())
      .toBe('and then?');
    expect(chat.transport.requests).toHaveLength(1);
    await chat.page.close();
  });

  // @shows chat-complaint-9
  it('follows the answer, leaves a reader who scrolled up alone, and goes back to the end when asked', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 420 });
    const { page } = chat;
    const paragraphs = Array.from({ length: 60 }, (_, n) => delta(`Paragraph ${n} of a longer answer.\n\n`));
    chat.transport.answer([cutoff, ...paragraphs, delta('never')], 61);
    await chat.ask('Tell');
    const log = page.getByRole('log');
    const distance = (): Promise<number> =>
      log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await page.getByText('Paragraph 59').waitFor();
    await expect.poll(distance).toBeLessThan(2);
    await log.hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole('button', { name: 'Go to the End' }).waitFor();
    // The wheel turns smoothly: wait for where it ends.
    await expect.poll(distance).toBeGreaterThan(590);
    const away = await distance();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped.').waitFor({ state: 'attached' });
    expect(await distance()).toBeGreaterThanOrEqual(away);
    await page.getByRole('button', { name: 'Go to the End' }).click();
    await expect.poll(distance).toBeLessThan(2);
    const height = (): Promise<number> => log.evaluate((element) => element.clientHeight);
    const before = await height();
    await page.getByRole('textbox', { name: 'Question for the agent' }).fill('One\ntwo\nthree\nfour');
    await expect.poll(height).toBeLessThan(before);
    await expect.poll(distance).toBeLessThan(2);
    await page.close();
  });

  it('moves nothing that the reader unfolded or went to while an answer is written', async () => {
    const chat = await stage.chat('dark', { width: 420, height: 420 });
    const { page } = chat;
    chat.transport.answer(recordedLines('by-month'));
    await chat.ask('Show revenue by month');
    await chat.answered();
    const steps = page.locator('.steps > summary').first();
    const topOf = (): Promise<number> => steps.evaluate((element) => element.getBoundingClientRect().top);
    await steps.scrollIntoViewIfNeeded();
    const before = await topOf();
    await steps.click();
    await page.locator('.step-list').first().waitFor();
    expect(Math.abs((await topOf()) - before)).toBeLessThan(2);
    // At the end again, and from there by keyboard to the question: what grows below does not take it away.
    await page.getByRole('button', { name: 'Go to the End' }).click();
    await page.keyboard.press('Tab');
    await steps.focus();
    const focused = await topOf();
    await page.evaluate(async () => {
      const grown = document.createElement('div');
      grown.style.height = '900px';
      document.querySelector('.log-content')?.append(grown);
      for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(Math.abs((await topOf()) - focused)).toBeLessThan(2);
    await page.close();
  });

  // @shows chat-complaint-15
  it('works by keyboard alone, ignores Enter while a character is composed, and stays usable at 200 % zoom', async () => {
    const chat = await stage.chat('light', { width: 320, height: 480 });
    const { page } = chat;
    const field = page.getByRole('textbox', { name: 'Question for the agent' });
    await field.fill('に');
    await field.evaluate((element) => {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));
    });
    expect(chat.transport.requests).toEqual([]);
    chat.transport.answer(recordedLines('by-status'));
    await field.press('Enter');
    await chat.answered();
    // From the field back to the answer's steps, opened with the keyboard.
    await page.locator('.steps > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.step-list').waitFor();
    await page.evaluate(() => (document.body.style.zoom = '2'));
    await chat.picture('zoomed');
    await expect
      .poll(async () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
      .toBe(true);
    await page.close();
  });

  it('offers commands and attachments while one types, by keyboard and by mouse', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    const field = page.getByRole('textbox', { name: 'Question for the agent' });
    await field.pressSequentially('What does @');
    await page.getByRole('option').nth(3).waitFor();
    await chat.picture('suggestions');
    expect(await findings(chat.page)).toEqual([]);
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Remove model/cubes/orders.yml' }).waitFor();
    await expect.poll(async () => field.inputValue()).toBe('What does ');
    expect(chat.asked.filter(([what]) => what !== 'mentions')).toEqual([['pickAttachment', 'selection']]);
    chat.transport.answer(answer('It counts.'));
    await field.pressSequentially('mean?');
    await field.press('Enter');
    await chat.page.getByText('Attached: model/cubes/orders.yml').waitFor();
    expect(chat.transport.requests[0]?.input).toMatch(/^What does mean\?\n\n<attached name="model\/cubes\/orders.yml"/);
    await chat.answered();
    await field.fill('/');
    await page.getByRole('option').first().waitFor();
    await field.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await field.fill('/n');
    await page.getByRole('option', { name: '/new' }).click();
    await page.getByRole('heading', { name: 'Ask about your data' }).waitFor();
    await page.close();
  });

  // @shows chat-complaint-18
  it('finds words in the thread, also over borders of elements, and leaves no trace', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    chat.transport.answer(answer('Revenue is **rev**enue, and REVENUE again.'));
    await chat.ask('What is revenue?');
    await chat.answered();
    const before = await page.locator('.log').innerHTML();
    await page.keyboard.press('Control+f');
    const field = page.getByRole('searchbox', { name: 'Find in this thread' });
    await field.fill('revenue');
    await page.getByRole('search').getByText('1 of 4').waitFor();
    await field.press('Enter');
    await page.getByRole('search').getByText('2 of 4').waitFor();
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await page.getByRole('search').getByText('4 of 4').waitFor();
    const marked = (): Promise<number | undefined> => page.evaluate(() => CSS.highlights.get('chat-find')?.size);
    await expect.poll(marked).toBe(4);
    expect(await findings(chat.page)).toEqual([]);
    await chat.picture('find');
    await field.fill('nowhere');
    await page.getByRole('search').getByText('No results').waitFor();
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(marked).toBeUndefined();
    await expect.poll(async () => page.locator('.log').innerHTML()).toBe(before);
    await page.close();
  });

  // @shows chat-complaint-18
  it('finds words in folded parts, unfolds them meanwhile, and folds them again', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    chat.transport.answer(recordedLines('by-month'));
    await chat.ask('Show revenue by month');
    await chat.answered();
    expect(await page.locator('details.tool').count()).toBe(0);
    await page.keyboard.press('Control+f');
    const field = page.getByRole('searchbox', { name: 'Find in this thread' });
    await field.fill('date_trunc');
    await page.getByRole('search').getByText('1 of').waitFor();
    const open = page.locator('details.tool[open]');
    await expect.poll(async () => open.count()).toBe(1);
    const isInSight = (): Promise<boolean> =>
      page.evaluate(() => {
        const [hit] = CSS.highlights.get('chat-find-current') ?? [];
        const log = document.querySelector('.log')?.getBoundingClientRect();
        const { top = -1 } = hit instanceof Range ? hit.getBoundingClientRect() : {};
        return log !== undefined && top >= log.top && top <= log.bottom;
      });
    await expect.poll(isInSight).toBe(true);
    await chat.picture('find-folded');
    // A user who folds it again while looking for the same words is not overruled.
    await page.locator('.steps > summary').click();
    await page.getByRole('search').getByText('No results').waitFor();
    await field.fill('group by');
    await expect.poll(async () => open.count()).toBe(1);
    await field.press('Escape');
    await expect.poll(async () => page.locator('details.tool').count()).toBe(0);
    await page.close();
  });

  it.each(themes)(
    'shows proposed files in the $name theme, reviews, accepts, rejects and takes back',
    async (theme) => {
      const chat = await stage.chat(theme.name);
      const { page, proposals } = chat;
      proposals.files.texts.set('model/cubes/orders.yml', 'cubes:\n  - name: orders\n');
      proposals.folder = { name: 'model-of-the-shop', isFixed: false };
      const block = (path: string, code: string): string => `\`\`\`yaml ${path}\n${code}\n\`\`\``;
      const files = [
        block('model/cubes/orders.yml', 'cubes:\n  - name: orders\n    title: Orders'),
        block('model/cubes/stores.yml', 'measures:\n  - name: count\n    type: count'),
        block('model/con.yml', 'cubes:\n  - name: con'),
        block('model/views/orders_overview.yml', 'views:\n  - name: orders_overview\n    cubes: []'),
      ];
      chat.transport.answer(answer(`Two changes:\n\n${files.join('\n\n')}`));
      await chat.ask('Propose');
      await chat.answered();
      const card = page.getByRole('region', { name: 'Proposed changes' });
      await card.getByRole('button', { name: 'Review All' }).click();
      await card.getByRole('button', { name: 'Accept All' }).waitFor();
      await card.scrollIntoViewIfNeeded();
      await chat.picture(`${theme.name}-proposals`);
      expect(await findings(page)).toEqual([]);
      await card.getByRole('button', { name: 'Accept model/cubes/orders.yml' }).click();
      await card.getByText('Accepted').waitFor();
      await card.getByRole('button', { name: 'Reject model/views/orders_overview.yml' }).click();
      await card.getByText('Rejected').waitFor();
      await chat.picture(`${theme.name}-proposals-decided`);
      expect([...proposals.files.texts.keys()]).toEqual(['model/cubes/orders.yml']);
      await card.getByRole('button', { name: 'Undo model/cubes/orders.yml' }).click();
      await card.getByRole('button', { name: 'Review model/cubes/orders.yml' }).waitFor();
      expect(proposals.files.texts.get('model/cubes/orders.yml')).toBe('cubes:\n  - name: orders\n');
      expect(chat.problems).toEqual([]);
      await page.close();
    },
  );

  it('finds, opens, renames and deletes threads', async () => {
    const chat = await stage.chat();
    const { page } = chat;
    chat.transport.answer(answer('First answer'));
    await chat.ask('First question');
    await chat.answered();
    await page.getByRole('button', { name: 'New Thread' }).click();
    await page.getByRole('heading', { name: 'Ask about your data' }).waitFor();
    chat.transport.answer(answer('Second answer'));
    await chat.ask('Second question');
    await chat.answered();
    await page.getByRole('button', { name: 'Threads', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Find a thread' }).fill('first');
    await expect.poll(async () => page.locator('.thread').count()).toBe(1);
    await page.getByRole('button', { name: 'Rename First question…' }).click();
    await page.getByRole('searchbox', { name: 'Find a thread' }).fill('better');
    await page.getByText('A better name').click();
    await page.getByText('First answer').waitFor();
    await page.getByRole('button', { name: 'Threads', exact: true }).click();
    await page.getByRole('button', { name: 'Delete A better name…' }).click();
    await page.locator('.thread').filter({ hasText: 'A better name' }).waitFor({ state: 'detached' });
    expect(chat.service.threads.value.map(({ title }) => title)).toEqual(['Second question']);
    await page.close();
  });
});
