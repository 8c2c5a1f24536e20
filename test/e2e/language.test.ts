import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { journey, type Stage } from './journey.ts';
import type { Workbench } from './workbench.ts';

const orders = 'model/cubes/orders.yml';

describe('the language of data models in a real VS Code', () => {
  it('previews, compiles, explains, completes, and marks a slip with a page that explains it', async () => {
    await journey('language', { signedIn: true }, async (stage) => {
      await stage.workbench.openFile('orders.yml');
      await previewAndSql(stage);
      await hoverAndComplete(stage);
      await problemAndPage(stage);
      expect(await stage.workbench.notifications()).toEqual([]);
    });
  });
});

/** Lenses ask the environment of the branch: rows of a cube, and the SQL behind it. */
async function previewAndSql({ workbench }: Stage): Promise<void> {
  await lens(workbench, 'Preview data').waitFor();
  await workbench.picture('lenses');
  await lens(workbench, 'Preview data').click();
  const claims = { exp: Math.floor(Date.now() / 1000) + 600 };
  await workbench.answer('A JWT signed with', signJwt(claims, demo.apiSecret));
  await workbench.tab(/^orders$/).waitFor();
  await workbench
    .webview()
    .getByText(/100 rows in/)
    .waitFor();
  await workbench.picture('preview');
  await workbench.run('View: Close Editor');

  await lens(workbench, 'Compiled SQL').click();
  await workbench.tab('orders.sql').waitFor();
  await workbench.page.getByText('-- orders on Shop analytics').first().waitFor();
  await workbench.picture('compiled-sql');
  await workbench.run('View: Close Editor');
}

async function hoverAndComplete({ workbench, folder }: Stage): Promise<void> {
  const sql = lineOf(folder, orders, '{customers.id}');
  await goTo(workbench, sql, textOf(folder, orders, sql).indexOf('customers.id') + 12);
  await workbench.run('Show or Focus Hover');
  await workbench.page.locator('.monaco-hover:visible').getByText('customers.id').first().waitFor();
  await workbench.picture('hover');
  await workbench.page.keyboard.press('Escape');

  const count = lineOf(folder, orders, 'title: Number of orders');
  await workbench.typeBelow(count, '      - name: orders_a_customer\n        type: number\n        sql: "{');
  await workbench.page.keyboard.press('Control+Space');
  const suggestions = workbench.page.locator('.suggest-widget.visible');
  await suggestions.getByText('average_days_to_ship').first().waitFor();
  await workbench.picture('completion');
  await workbench.page.keyboard.press('Escape');
  await suggestions.waitFor({ state: 'hidden' });
  await workbench.page.keyboard.insertText('count} / {customers.count}"');
}

/** A slip is marked at once; its code leads to its page. */
async function problemAndPage({ workbench }: Stage): Promise<void> {
  await workbench.page.keyboard.insertText('\n        titel: Orders per customer');
  const slip = await workbench.problem(/titel/);
  await slip.getByText('unknown-key').click();
  await workbench.tab('unknown-key.md').waitFor();
  await workbench.picture('page-of-a-code');
  await workbench.run('View: Close Editor');
  await slip.click({ position: { x: 120, y: 10 } });
  await workbench.page.locator('.squiggly-error').first().waitFor();
  await workbench.picture('problem');
}

function lens(workbench: Workbench, text: string | RegExp): Locator {
  return workbench.page.locator('.codelens-decoration a').filter({ hasText: text }).first();
}

async function goTo({ page, quickInput }: Workbench, line: number, column: number): Promise<void> {
  await page.keyboard.press('Control+G');
  await quickInput.locator('input.input').fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await quickInput.waitFor({ state: 'hidden' });
  await page
    .locator('[id="status.editor.selection"]')
    .filter({ hasText: `Ln ${line}, Col ${column}` })
    .waitFor();
}

/** The first line (from 1) of a file that holds a text. */
function lineOf(folder: string, path: string, text: string): number {
  const lines = readFileSync(join(folder, path), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

function textOf(folder: string, path: string, line: number): string {
  return readFileSync(join(folder, path), 'utf8').split('\n')[line - 1] ?? '';
}
