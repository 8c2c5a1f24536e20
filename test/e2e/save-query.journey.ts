import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { playground } from './queries.journey.ts';

const title = 'Freight of finished orders';
const file = 'freight-of-finished-orders.query.yml';

/** The query of the playground becomes a file beside the model, whose *Run* lens shows it in the playground again. */
export async function saveQuery({ workbench, folder }: Stage): Promise<void> {
  await workbench.showTab('Playground');
  const page = await playground(workbench);
  await page.getByRole('button', { name: 'Add Filter' }).click();
  await page.getByRole('combobox', { name: 'Member of filter 1' }).selectOption('orders.status');
  await page.getByRole('textbox', { name: 'Values of filter 1' }).fill('completed');
  await page.getByRole('button', { name: 'Or…' }).click();
  await page.getByRole('textbox', { name: 'Values of filter 1, alternative 1' }).fill('cancelled');
  await page.getByRole('button', { name: 'Save Query…' }).click();
  await workbench.answer(/The title of the query/, title);
  await workbench.tab(file).waitFor();
  const text = readFileSync(join(folder, 'queries', file), 'utf8');
  expect(text).toContain(`title: ${title}\nquery:\n  measures:\n    - orders.freight_total\n`);
  await workbench.picture('saved');

  await workbench.showTab('Playground');
  const changed = await playground(workbench);
  await changed.getByRole('button', { name: 'Remove filter 1', exact: true }).click();
  await changed.getByRole('button', { name: 'Remove orders.status' }).click();
  await changed.getByRole('button', { name: 'Remove orders.status' }).waitFor({ state: 'detached' });
  await workbench.showText(file);
  await workbench.lensAction(/^Run$/, workbench.tab('Playground').and(workbench.page.locator('.active')));
  const again = await playground(workbench);
  await again.getByRole('button', { name: 'Remove orders.status' }).waitFor();
  const values = again.getByRole('textbox', { name: /^Values of filter 1/ });
  await expect
    .poll(async () => Promise.all((await values.all()).map(async (field) => field.inputValue())))
    .toEqual(['completed', 'cancelled']);
  await again.getByRole('gridcell', { name: 'completed' }).first().waitFor();
  await expect.poll(async () => again.getByRole('gridcell', { name: 'shipped' }).count()).toBe(0);
  await workbench.picture('run-again');
}
