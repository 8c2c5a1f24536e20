import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { ask } from './ask.ts';
import { setUpChat } from './ask-the-agent.journey.ts';
import type { Stage } from './journey.ts';
import { devBranch, remoteFile } from './platform-state.ts';
import { beginOnDevBranch, playground } from './queries.journey.ts';
import { stepPage } from './step-page.ts';
import { untilSeen } from './until.ts';
import type { Workbench } from './workbench.ts';

const question = 'How many orders were there by status?';
const orders = 'model/cubes/orders.yml';
const narrowed = '{CUBE}.shipping_cost > 20';
const toProduction = 'Commit to main (production)';

/** Starts in a new window: the chat is set up, and a dev branch of production is active. */
export async function beginWithChat(stage: Stage): Promise<void> {
  await beginOnDevBranch(stage);
  await setUpChat(stage);
}

/**
 * An answer is explained from one of its values, opened as a query, saved as a test, compared on two branches before a commit, and
 * exported as an evaluation question. The chat is set up, and a dev branch of production is active.
 */
export async function testAnswers(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.run('View: Close All Editors');
  await workbench.run('Modelbench Chat: Open Chat');
  const chat = await workbench.frameWith('#chat');
  await ask(chat, question);
  await chat.locator('.result').last().waitFor();
  await chat.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await explainValue(chat);
  await workbench.picture('explained');

  await fromMenu(chat, 'Open in Playground');
  await workbench.tab('Playground').waitFor();
  const page = await playground(workbench);
  await page.getByRole('button', { name: 'Remove sales.order_count' }).waitFor();
  await page.getByText(/^\d+ rows in /).waitFor();
  await workbench.picture('in-playground');
  await workbench.run('View: Close All Editors');

  await fromMenu(chat, 'Save as Test');
  await workbench.tab(/\.query\.yml$/).waitFor();
  await expect.poll(async () => workbench.editorText()).toContain(question);
  await workbench.picture('saved');
  await workbench.run('View: Close All Editors');
  await compareOnBranches(stage);

  await exportQuestions(workbench);
  await expect.poll(async () => workbench.editorText()).toContain(question);
  await workbench.picture('exported');
}

/** From a number of the grid to a question about it. */
async function explainValue(chat: Frame): Promise<void> {
  const field = chat.getByRole('textbox', { name: 'Question for the agent' });
  const table = chat.locator('.result').last().getByRole('button', { name: 'Table', exact: true });
  await untilSeen(table, async (timeout) => chat.locator('.result > summary').last().click({ timeout }));
  await table.click();
  const cell = chat
    .getByRole('gridcell')
    .filter({ hasText: /^[\d,.]+$/ })
    .first();
  await cell.click();
  await cell.press('Enter');
  await chat
    .getByRole('region', { name: /^Value of / })
    .getByRole('button', { name: 'Explain This Number' })
    .click();
  await expect.poll(async () => field.inputValue()).toMatch(/^\/explain Why is order_count \d+ where status = \w+\?$/);
  const removing = chat.getByRole('list', { name: 'Sent with the question' }).getByRole('button', { name: /^Remove / });
  await removing.first().waitFor();
  for (let left = await removing.count(); left > 0; left = await removing.count()) {
    await removing.first().press('Enter');
    await expect.poll(async () => removing.count()).toBeLessThan(left);
  }
  await field.fill('');
}

async function fromMenu(chat: Frame, label: string): Promise<void> {
  const result = chat.locator('.result').last();
  const item = result.getByRole('menuitem', { name: label });
  await untilSeen(item, async (timeout) => result.getByRole('button', { name: 'More Actions' }).click({ timeout }));
  await item.click();
}

/** The dev branch counts other orders than production, which the page of the commit says before it. */
async function compareOnBranches(stage: Stage): Promise<void> {
  const { platform, workbench } = stage;
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(59, `        filters:\n          - sql: "${narrowed}"`);
  await workbench.save();
  const dev = await devBranch(stage);
  await expect.poll(async () => remoteFile(stage, dev, orders)).toContain(narrowed);
  await platform.control.buildSettled(1, dev);
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
  await workbench.openContainer('Modelbench');
  await workbench.openView('Changes');
  await workbench.openRow(workbench.row('Changes', 'Commit to main'), workbench.tab(toProduction));
  const page = await stepPage(workbench, toProduction);
  await page.getByText(/1 saved question, not compared yet/).waitFor();
  await page.getByRole('button', { name: 'Compare Answers' }).click();
  const summary = page.getByText(/1 answer changed/);
  const line = page.getByText(`${question} 4 rows changed`);
  await untilSeen(line, async (timeout) => summary.click({ timeout }));
  await workbench.pictures('compared');
  await workbench.run('View: Close All Editors');
}

/** By the menu of the chat, with the keyboard: VS Code ignores a click on a menu that has only just opened. */
async function exportQuestions(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  const more = page.locator('.part.auxiliarybar .title').getByRole('button', { name: /More Actions/ });
  const item = page.locator('.monaco-menu .action-item').filter({ hasText: 'Export Evaluation Questions' }).first();
  await untilSeen(workbench.tab('saved_answers.yml'), async (timeout) => {
    await more.first().click({ timeout });
    await item.hover({ timeout });
    await item.and(page.locator('.focused')).waitFor({ timeout });
    await page.keyboard.press('Enter');
  });
}
