import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cubeReview } from '#features/language/cube-review.ts';
import { generateCube } from '#model/tables/generate-cube.ts';
import { findings } from './axe.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { drawReview } from './drawn-review.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('review');
});
afterAll(async () => bundle.close());

describe('the page of a generated cube, in a browser', () => {
  const table = {
    relation: 'shop.refunds',
    schema: 'shop',
    name: 'refunds',
    columns: ['id', 'order_id', 'reason', 'amount', 'paid_at'].map((name) => ({ name })),
  };

  // @shows tables
  it('shows the whole text, and its button creates the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'generated-'));
    const path = join(folder, 'refunds.yml');
    const { name, text } = generateCube(table, { isTaken: () => false, database: undefined });
    let shown = 0;
    const opened = async (): ReturnType<typeof drawReview> =>
      drawReview(
        bundle,
        cubeReview(
          { name, relation: table.relation, path: 'model/cubes/refunds.yml', text },
          {
            create: async () =>
              writeFile(path, text, { flag: 'wx' }).then(
                () => true,
                () => false,
              ),
            show: () => Promise.resolve((shown += 1)),
            preview: () => Promise.resolve(),
          },
        ),
      );
    try {
      const { page, watched, picture } = await opened();
      await page.getByRole('treeitem', { name: /^model\/cubes\/refunds\.yml/ }).waitFor();
      const lines = page.locator('.diff-line.added .text');
      await expect.poll(async () => (await lines.allTextContents()).join('\n').trim()).toBe(text.trim());
      await picture('generated-cube');
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create refunds.yml' }).click();
      await expect.poll(() => shown).toBe(1);
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(watched.problems).toEqual([]);
      await page.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
