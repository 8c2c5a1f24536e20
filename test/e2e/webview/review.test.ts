import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { proposalPage } from '#features/chat/proposal-page.ts';
import type { ReviewDocument, ReviewInput } from '#features/review/messages.ts';
import type { ReviewSource } from '#features/review/source.ts';
import { fileReview } from '#features/folders/file-review.ts';
import { modelComparison } from '#compose/model-comparison.ts';
import { NEW, setUp } from '#support/chat/proposal-answer.ts';
import { reviewRow } from '#support/review.ts';
import { findings } from './axe.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { drawReview } from './drawn-review.ts';
import { push } from './pushed-review.ts';
import { type Theme, themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('review');
});
afterAll(async () => bundle.close());

const orders = `cubes:
  - name: orders
    sql_table: public.orders

    joins:
      - name: customers
        sql: '{CUBE}.customer_id = {customers}.id'
        relationship: many_to_one

    measures:
      - name: count
        type: count
`;

function labelled(document: ReviewDocument): ReviewDocument {
  const count = document.ticked.size;
  const files = `${count} ${count === 1 ? 'File' : 'Files'}`;
  const whyNot = count === 0 ? 'Tick at least one file.' : '';
  return { ...document, action: { label: `Push ${files} to dev-ada-1`, whyNot } };
}

/** A page of a list that follows what the test and the user do. */
async function show(first: ReviewDocument, theme = themes[0] as Theme, viewport = { width: 1000, height: 700 }) {
  const done: unknown[] = [];
  const document = new Store<ReviewDocument | undefined>(labelled(first));
  const drawn = await draw(
    {
      key: 'push',
      accountId: undefined,
      document,
      tick: (ids, isTicked) =>
        document.update((now) => {
          if (!now) return now;
          const ticked = new Set(now.ticked);
          for (const id of ids) {
            if (isTicked) ticked.add(id);
            else ticked.delete(id);
          }
          return labelled({ ...now, ticked });
        }),
      texts: (id) =>
        Promise.resolve({
          before: id.endsWith('coupons.yml') ? undefined : orders,
          after: orders.replace(
            'type: count',
            'type: count\n\n      - name: total\n        sql: amount\n        type: sum',
          ),
          changes: ['added measure orders.total'],
        }),
      diff: (id) => Promise.resolve(done.push(['diff', id])),
      diffAll: () => Promise.resolve(done.push(['diffAll'])),
      explain: (id) => Promise.resolve(done.push(['explain', id])),
      run: (id) => Promise.resolve(done.push(['run', id])),
      apply: (input: ReviewInput) => Promise.resolve(Boolean(done.push(['apply', document.value?.ticked.size, input]))),
      close: () => void done.push(['close']),
    },
    theme,
    viewport,
  );
  return { ...drawn, document, done };
}

const draw = async (source: ReviewSource, theme?: Theme, viewport?: { width: number; height: number }) =>
  drawReview(bundle, source, theme, viewport);

const status = (page: Page) => page.getByRole('status');
const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
const current = (page: Page) => page.locator('[role=treeitem][aria-selected=true]');

describe('the review page in a browser', () => {
  it.each(themes)('is read in the $name theme, and axe finds nothing', async (theme) => {
    const { page, watched, picture } = await show(push(), theme);
    await row(page, /^model\/cubes\/orders\.yml/).click();
    await page.getByText('added measure orders.total').last().waitFor();
    await page.getByText('name: total').waitFor();
    await picture(theme.name);
    expect(await findings(page)).toEqual([]);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  const message = { label: 'Commit message', value: '', placeholder: 'What changes?' };
  const options = [{ id: 'squash', label: 'Squash into one commit', isOn: false }];
  const confirmation = { label: 'Type “Shop” to deploy it', expected: 'Shop' };
  const filledIn = { message, options, confirmation, isProduction: true };

  it.each(themes)('is read in the $name theme at every width, with all that is filled in', async (theme) => {
    const { page, watched } = await show(push(filledIn), theme);
    await picturesAtEveryWidth(page, bundle.pictures, theme.name);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it.each([200, 300, 450])('shows its button and its first files without scrolling at %d px', async (width) => {
    const { page } = await show(push(filledIn), themes[0], { width, height: 700 });
    const isSeen = async (element: Locator): Promise<boolean> => {
      const box = await element.boundingBox();
      const list = await page.getByRole('tree', { name: 'Files' }).boundingBox();
      const end = (await element.getAttribute('role')) === 'treeitem' && list ? list.y + list.height : 700;
      return box !== null && box.y >= 0 && box.y + box.height <= Math.min(700, end);
    };
    await expect.poll(async () => isSeen(page.getByRole('button', { name: /^Push 29 Files/ }))).toBe(true);
    await expect.poll(async () => isSeen(row(page, /^model\/cubes\/customers\.yml/))).toBe(true);
    await expect.poll(async () => isSeen(row(page, /^model\/cubes\/returns\.yml/))).toBe(true);
    await page.close();
  });

  it('scrolls to all of it in a window that is too low', async () => {
    const { page } = await show(push(filledIn), themes[0], { width: 200, height: 260 });
    const main = page.locator('main');
    // Not over the notes or the message, which scroll on their own.
    await page.getByRole('heading', { level: 1 }).hover();
    const scroll = async (): Promise<number> => {
      await page.mouse.wheel(0, 5000);
      return main.evaluate(({ scrollTop }) => scrollTop);
    };
    await expect.poll(scroll).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Show Plan as Text' }).click();
    await page.close();
  });

  it.each([
    ['a message that is still to be written', { message }, 'textarea', 'textarea'],
    ['the list otherwise', {}, '[role=tree]', '[role=tree]'],
    ['the sentence that no file differs, until one does', { groups: [] }, '.empty', '[role=tree]'],
  ])('begins in %s', async (_, more, first, then) => {
    const { page, document } = await show(push(more));
    await expect.poll(async () => page.locator(`${first}:focus`).count()).toBe(1);
    document.set(push({ ...more, groups: push().groups }));
    await expect.poll(async () => page.locator(`${then}:focus`).count()).toBe(1);
    await page.close();
  });

  it.each(['Commit to main', 'Merge dev-ada-1 into main'])(
    'leads from a row to a question for the agent: %s',
    async (title) => {
      const { page, asked } = await show(push({ title }));
      await row(page, /^model\/cubes\/orders\.yml/).click();
      await page
        .getByRole('region', { name: 'Diff of model/cubes/orders.yml' })
        .getByRole('button', { name: 'Ask the Agent' })
        .click();
      await expect.poll(() => asked).toHaveLength(1);
      expect(asked[0]).toMatchObject({ ask: '/review ', attached: [{ label: 'Changes of model/cubes/orders.yml' }] });
      expect(asked[0]?.attached[0]?.text).toContain('+      - name: total');
      await page.close();
    },
  );

  it('is used with the keyboard alone', async () => {
    const { page, done } = await show(push());
    const { keyboard } = page;
    await expect.poll(() => current(page).getAttribute('aria-label')).toContain('model/cubes/customers.yml, conflict');
    await keyboard.press('j');
    await keyboard.press('j');
    await expect.poll(() => current(page).getAttribute('aria-label')).toContain('model/cubes/returns.yml, deleted');
    await keyboard.press('Space');
    await page.getByRole('button', { name: 'Push 28 Files to dev-ada-1' }).waitFor();
    await status(page).getByText('28 of 29 files ticked').waitFor();
    await expect.poll(async () => current(page).getAttribute('aria-checked')).toBe('false');

    await keyboard.press('ArrowUp');
    await expect.poll(() => current(page).getAttribute('aria-checked')).toBe('mixed');
    // What stays out is named, and one key leads there from anywhere in the list.
    await status(page).getByText('28 of 29 files ticked, 1 deletion is not').waitFor();
    await keyboard.press('ArrowLeft');
    await keyboard.press('End');
    await keyboard.press('u');
    await expect.poll(() => current(page).getAttribute('aria-label')).toContain('model/cubes/returns.yml, deleted');
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowLeft');
    await expect.poll(() => current(page).getAttribute('aria-expanded')).toBe('false');
    await keyboard.press('ArrowRight');
    await keyboard.press('n');
    await page.getByRole('button', { name: 'Push 0 Files' }).waitFor();
    await keyboard.press('Control+Enter');
    await status(page).getByText('Tick at least one file.').waitFor();
    expect(done).toEqual([]);

    await keyboard.press('/');
    await keyboard.type('generated');
    await keyboard.press('Enter');
    await keyboard.press('a');
    await page.getByRole('button', { name: 'Push 24 Files' }).waitFor();
    await keyboard.press('End');
    await expect.poll(() => current(page).getAttribute('aria-label')).toContain('table_23.yml');
    await keyboard.press('Enter');
    await keyboard.press('w');
    await expect
      .poll(() => done)
      .toEqual([
        ['diff', 'model/cubes/generated/table_23.yml'],
        ['explain', 'model/cubes/generated/table_23.yml'],
      ]);
    await keyboard.press('Control+Enter');
    await expect.poll(() => done.slice(2)).toEqual([['apply', 24, { message: '', options: [], typed: '' }], ['close']]);
    await page.close();
  });

  it('keeps cursor, ticks and place while rows come and go', async () => {
    const { page, document } = await show(push(), themes[0], { width: 900, height: 420 });
    await page.keyboard.press('End');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    const name = await current(page).getAttribute('aria-label');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Push 28 Files' }).waitFor();
    const top = async () => (await current(page).boundingBox())?.y;
    const before = await top();
    const extra = Array.from({ length: 5 }, (_, at) => reviewRow(`model/cubes/a_${at}.yml`, { kind: 'delete' }));
    document.update((now) => {
      if (!now) return now;
      const groups = now.groups.map((group) =>
        group.id === 'delete' ? { ...group, rows: [...extra, ...group.rows] } : group,
      );
      return labelled({ ...now, groups });
    });
    await status(page).getByText('28 of 34 files ticked').waitFor();
    await expect.poll(async () => current(page).getAttribute('aria-label')).toBe(name);
    await expect.poll(async () => current(page).getAttribute('aria-checked')).toBe('false');
    await expect.poll(top).toBe(before);
    await page.close();
  });

  it('asks for what must be typed, and sends the message and the options', async () => {
    const { page, done, document, picture } = await show(
      push({
        message: { label: 'Commit message', value: 'Add totals', placeholder: '' },
        options: [{ id: 'squash', label: 'Squash into one commit', isOn: true }],
        confirmation: { label: 'Type “Shop” to deploy to production', expected: 'Shop' },
      }),
    );
    await page.getByRole('textbox', { name: 'Commit message' }).fill('Add totals of orders');
    await page.keyboard.press('Control+Enter');
    const notice = status(page).getByText('Type “Shop” to confirm.');
    await notice.waitFor();
    // The host sends another state, for example because a branch was built: the notice stays.
    document.update((now) => now && { ...now, from: 'shop (local folder), built' });
    await page.getByText('shop (local folder), built').waitFor();
    await expect.poll(async () => notice.isVisible()).toBe(true);
    await page.getByRole('checkbox', { name: 'Squash into one commit' }).uncheck();
    await page.getByRole('textbox', { name: /^Type “Shop”/ }).fill('Shop');
    // What was asked for is not asked for any more.
    await status(page).getByText('29 of 29 files ticked').waitFor();
    await picture('confirmed');
    await page.keyboard.press('Control+Enter');
    await expect
      .poll(() => done)
      .toEqual([['apply', 29, { message: 'Add totals of orders', options: [], typed: 'Shop' }], ['close']]);
    await page.close();
  });

  it('is used with the mouse alone', async () => {
    const { page, done } = await show(push());
    await row(page, /^model\/cubes\/returns\.yml/)
      .locator('.tick')
      .click();
    await page.getByRole('button', { name: 'Push 28 Files' }).waitFor();
    await row(page, /^model\/cubes\/orders\.yml/).click();
    await page.getByRole('searchbox', { name: 'Filter files' }).fill('orders');
    await page.getByRole('button', { name: 'Next Unticked' }).click();
    await expect.poll(() => current(page).getAttribute('aria-label')).toContain('model/cubes/returns.yml, deleted');
    await row(page, /^Delete on dev-ada-1/)
      .locator('.tick')
      .click();
    await page.getByRole('button', { name: 'Next Unticked' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Push 29 Files' }).waitFor();
    await row(page, /^model\/cubes\/orders\.yml/).dblclick();
    await page.getByRole('button', { name: 'Open All Diffs' }).click();
    await page.getByRole('button', { name: 'Show Plan as Text' }).click();
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('button', { name: 'None' }).click();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'Push 29 Files' }).click();
    await expect
      .poll(() => done.map((each) => (each as string[])[0]))
      .toEqual(['diff', 'diffAll', 'run', 'explain', 'apply', 'close']);
    await page.close();
  });

  it('draws only what is in sight of 10,000 files', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => reviewRow(`model/cubes/table_${at}.yml`));
    const { page, picture } = await show(
      push({ groups: [{ id: 'upload', label: 'Upload', rows }], ticked: new Set(rows.map(({ id }) => id)) }),
    );
    await page.getByRole('button', { name: 'Push 10000 Files' }).waitFor();
    await expect.poll(async () => page.getByRole('treeitem').count()).toBeLessThan(100);
    await page.keyboard.press('End');
    await row(page, /table_9999\.yml/).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Push 9999 Files' }).waitFor();
    await expect.poll(async () => page.getByRole('treeitem').count()).toBeLessThan(100);
    await picture('ten-thousand');
    await page.close();
  });
});

describe('the page of files that are put back, in a browser', () => {
  it('says what the ticked files change of the model, and answers them', async () => {
    const cube = (name: string): string => `cubes:\n  - name: ${name}\n    sql_table: ${name}\n`;
    const { source, answer } = fileReview({
      key: 'trash',
      accountId: 'a',
      title: 'Restore from trash: shop',
      from: 'Trash',
      to: 'shop',
      heading: 'Restore',
      rows: [
        reviewRow('model/cubes/coupons.yml', { kind: 'add', note: 'deleted yesterday' }),
        reviewRow('model/cubes/orders.yml'),
      ],
      button: (files) => `Restore ${files}`,
      texts: (path) =>
        Promise.resolve(
          path.endsWith('coupons.yml')
            ? { before: undefined, after: cube('coupons') }
            : { before: cube('orders'), after: cube('purchases') },
        ),
      diff: () => Promise.resolve(),
      model: { ...modelComparison(async () => Promise.resolve(null)), others: () => Promise.resolve(new Map()) },
    });
    const { page, watched, picture } = await draw({ ...source, accountId: 'a' });
    await page.getByText('1 cube removed, 2 cubes added').waitFor();
    await row(page, /^model\/cubes\/coupons\.yml/).click();
    await page.getByRole('list', { name: 'Changes of the model' }).getByText('coupons').waitFor();
    await row(page, /^model\/cubes\/orders\.yml/).click();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Restore 1 File' }).waitFor();
    await page.getByText('1 cube added', { exact: true }).waitFor();
    await picture('restore');
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    expect(await answer).toEqual(new Set(['model/cubes/coupons.yml']));
    expect(watched.problems).toEqual([]);
    await page.close();
  });
});

describe('the page of an agent’s proposal, in a browser', () => {
  it('shows what the ticked files change, and applies them', async () => {
    const nothing = (): Promise<void> => Promise.resolve();
    const { disk, review } = await setUp({ engine: () => Promise.resolve({ state: 'accepted' }) });
    const changed = new Emitter<void>();
    const source = await proposalPage({
      review,
      paths: review.paths,
      effects: {
        model: modelComparison(async () => Promise.resolve(null)),
        models: () => Promise.resolve(disk.texts),
        impact: () => Promise.resolve({ summary: 'No name is lost.', show: () => Promise.resolve() }),
      },
      onDidChange: changed.event,
      editors: { diff: nothing, draft: nothing, merge: nothing },
      check: async (paths) => {
        await review.check(paths);
        changed.fire();
      },
      accept: (paths) => review.accept(paths),
    });
    if (!source) throw new Error('nothing is open');
    const { page, watched, picture } = await draw({ ...source, accountId: 'a' });
    await page.getByText('1 cube added, 1 member added').waitFor();
    await page.getByText('accepts the model with these changes').waitFor();
    await row(page, /^model\/a\.yml/).click();
    await page.getByText('name: three').waitFor();
    await page.getByRole('button', { name: 'Check Impact' }).click();
    await page.getByText('No name is lost.').waitFor();
    await picture('proposal');
    expect(await findings(page)).toEqual([]);
    await row(page, /^model\/a\.yml/)
      .locator('.tick')
      .click();
    await page.getByRole('button', { name: 'Apply 1 File' }).click();
    await expect.poll(() => disk.writes).toEqual([[NEW]]);
    expect(watched.problems).toEqual([]);
    await page.close();
  });
});
