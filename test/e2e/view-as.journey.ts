import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { playground } from './queries.journey.ts';
import { untilSeen } from './until.ts';
import type { Workbench } from './workbench.ts';

const files = ['model/cubes/customers.yml', 'model/views/customer_overview.yml'];
const linus = 'Linus Pauling';

/** A user who sees more than you is chosen by mouse, and a security context by keyboard; rows, masks and members differ. */
export async function viewAs(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await letAnalystsSeeEmails(stage);
  await workbench.run('Modelbench: Open Playground');
  const page = await playground(workbench);
  await seeMoreByMouse(workbench, page);
  await seeAsContextByKeyboard(workbench, page);
  await compareMasks(workbench, page);
  await workbench.closeEditors();
}

/** The model shows e-mail addresses to one group; the seeded analyst is its member from now on. */
async function letAnalystsSeeEmails({ platform: { control } }: Stage): Promise<void> {
  const texts = await Promise.all(
    files.map(async (path) => [path, (await control.readFile(1, 'main', path)) ?? ''] as const),
  );
  const changed = Object.fromEntries(
    texts.map(([path, text]) => [path, text.replace('group: support', 'group: analysts')]),
  );
  await control.colleagueCommit(1, 'main', changed);
  await control.buildSettled(1, 'main');
}

async function seeMoreByMouse(workbench: Workbench, page: Frame): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find members' }).fill('customer_overview');
  await page.getByRole('button', { name: 'measure order_count' }).click();
  await expect.poll(async () => page.getByRole('button', { name: 'dimension email' }).count()).toBe(0);
  const button = page.getByRole('button', { name: 'View As…' });
  await untilSeen(workbench.option(/User of the Platform…/), async (timeout) => button.click({ timeout }));
  await workbench.pick(/User of the Platform…/);
  await workbench.pick(linus);
  await page.getByText(`Visible to ${linus}, but not to you: customer_overview.email.`).waitFor();
  await page.getByRole('button', { name: 'dimension email' }).click();
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page.getByRole('gridcell', { name: /@/ }).first().waitFor();
  await workbench.pictures('linus');
  await page.getByRole('button', { name: `Viewing as ${linus}…` }).click();
  await workbench.pick(/Yourself/);
  await page
    .getByText(/no “customer_overview\.email”/)
    .first()
    .waitFor();
  await workbench.picture('yourself');
}

async function seeAsContextByKeyboard(workbench: Workbench, page: Frame): Promise<void> {
  const { quickInput } = workbench;
  const button = page.getByRole('button', { name: 'View As…' });
  await untilSeen(quickInput, async (timeout) => button.press('Enter', { timeout }));
  // What is typed chooses among the rows that are there.
  await workbench.option(/Enter Security Context/).waitFor();
  await workbench.answer('View As', 'Enter Security Context');
  await workbench.answer(/The claims that queries run with/, '{"groups": ["analysts"]');
  await quickInput.getByText('This is not JSON.').first().waitFor();
  await workbench.answer(/This is not JSON/, '{"groups": ["analysts"]}');
  await workbench.answer(/A name to choose it by/, 'Analysts');
  await page.getByText('Visible to Analysts, but not to you: customer_overview.email.').waitFor();
  await page.getByRole('button', { name: 'Viewing as Analysts…' }).press('Control+Enter');
  await page.getByRole('gridcell', { name: /@/ }).first().waitFor();
}

/** What one side does not see is named before anything is sent, and masked values are what differs. */
async function compareMasks(workbench: Workbench, page: Frame): Promise<void> {
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Compare with Identity…' }).click();
  await workbench.pick(/Yourself/);
  await page.getByText('your own view does not have “customer_overview.email”.').waitFor();
  await page.getByRole('button', { name: 'Remove customer_overview.order_count' }).click();
  await page.getByRole('button', { name: 'Remove customer_overview.email' }).click();
  await page.getByRole('searchbox', { name: 'Find members' }).fill('customers');
  const customers = page.locator('details').filter({ has: page.locator('summary', { hasText: /^customers$/ }) });
  for (const name of ['measure count', 'dimension email'])
    await customers.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Compare with Identity…' }).click();
  await workbench.pick(/Yourself/);
  await page.getByText(/rows only in Analysts’s view/).waitFor();
  await page.getByText('Members only in Analysts’s view: customer_overview.email').waitFor();
  await workbench.pictures('difference');
}
