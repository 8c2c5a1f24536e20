import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import type { Stage } from './journey.ts';
import { devBranch } from './platform-state.ts';
import { playground } from './queries.journey.ts';
import { untilSeen } from './until.ts';
import type { Workbench } from './workbench.ts';

/** The chat's page, however it was found. */
type Chat = Frame | FrameLocator;

const orders = 'model/cubes/orders.yml';
const draft = 'A question of my own, not sent yet';

/** *Ask the Agent* on a value of an answer leads to the composer, with what the value is made from as chips. */
export async function askAboutCell(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const chat = await setUpChat(stage);
  await composer(chat).fill(draft);
  await workbench.showTab('Playground');
  const page = await playground(workbench);
  await page.getByRole('button', { name: 'Rows', exact: true }).click();
  const cell = page.getByRole('gridcell').last();
  await cell.click();
  await cell.press('Enter');
  await page
    .getByRole('region', { name: /^Value of / })
    .getByRole('button', { name: 'Ask the Agent' })
    .click();
  await isAsked(workbench, chat, {
    question: /^\/explain Why is orders\.freight_total/,
    chips: [/^orders\.freight_total = /],
  });
  await askAboutListed(workbench, chat, page);
}

/** By the menu of a member in the list of the playground. */
async function askAboutListed(workbench: Workbench, chat: Chat, page: Frame): Promise<void> {
  await workbench.showTab('Playground');
  await page.getByRole('searchbox', { name: 'Find members' }).fill('orders.count');
  const member = page.getByRole('button', { name: 'measure count', exact: true }).first();
  const item = workbench.page
    .locator('.monaco-menu .action-item')
    .filter({ hasText: 'Ask the Agent About This Cube or Member' });
  // VS Code ignores a click on a menu that has only just opened.
  await untilSeen(removing(chat, 'orders.count').first(), async (timeout) => {
    await member.click({ button: 'right', timeout });
    await item.first().hover({ timeout });
    await item.first().and(workbench.page.locator('.focused')).waitFor({ timeout });
    await workbench.picture('listed-member-menu');
    await item.first().click({ timeout });
  });
  await isAsked(workbench, chat, { question: /^\/explain orders\.count$/, chips: ['orders.count'] });
}

/**
 * *Ask the Agent* on a problem, a member, a failed build and a change puts what was clicked, and nothing else, into the composer; the
 * draft that was there comes back with ↑. A dev branch is active, and the chat is open.
 */
export async function askAboutModel(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const chat = await workbench.openChat();
  await composer(chat).fill(draft);
  await askAboutMember(stage, chat);
  await askAboutProblem(workbench, chat);
  await askAboutBuild(stage, chat);
  await askAboutChange(workbench, chat);
  // The agent answers about a model that compiles.
  await workbench.openFile('orders.yml');
  await workbench.replaceLine(5, '# extends nothing');
  await workbench.save();
  await workbench.status(/built/).waitFor();
  await workbench.run('View: Close All Editors');
  await workbench.closePanel();
  await workbench.clearNotifications();
}

/** By the menu and by the light bulb of the editor, at a member of a cube. */
async function askAboutMember({ workbench, folder }: Stage, chat: Chat): Promise<void> {
  const lines = readFileSync(join(folder, orders), 'utf8').split('\n');
  await workbench.openFile('orders.yml');
  const item = workbench.page
    .locator('.monaco-menu .action-item')
    .filter({ hasText: 'Ask the Agent About This Cube or Member' });
  const chip = removing(chat, 'orders.count').first();
  await untilSeen(chip, async (timeout) => {
    await workbench.goToEndOf(lines.findIndex((line) => line.endsWith('- name: count')) + 1);
    await workbench.page.keyboard.press('Shift+F10');
    await item.first().hover({ timeout });
    await item.first().and(workbench.page.locator('.focused')).waitFor({ timeout });
    await workbench.picture('member-menu');
    await workbench.page.keyboard.press('Enter');
  });
  await isAsked(workbench, chat, { question: /^\/explain orders\.count$/, chips: ['orders.count'] });
  await workbench.openFile('orders.yml');
  const action = workbench.page.locator('.action-widget:visible').getByText('Ask the Agent About This Cube or Member');
  await untilSeen(chip, async (timeout) => {
    await workbench.goToEndOf(lines.findIndex((line) => line.endsWith('- name: count')) + 1);
    await workbench.page.keyboard.press('Control+.');
    await action.waitFor({ timeout });
    await workbench.picture('member-light-bulb');
    await action.click({ timeout });
  });
  await isAsked(workbench, chat, { question: /^\/explain orders\.count$/, chips: ['orders.count'] });
}

/** By the quick fix of a problem. */
async function askAboutProblem(workbench: Workbench, chat: Chat): Promise<void> {
  await workbench.openFile('orders.yml');
  await workbench.typeBelow(4, '    extends: nothing_there');
  await workbench.save();
  await (await workbench.problem(/nothing_there/)).waitFor();
  const fix = workbench.page.locator('.action-widget:visible').getByText('Ask the Agent to Fix This').first();
  const chip = removing(chat, `Problem at ${orders}:5`);
  await untilSeen(chip, async (timeout) => {
    await workbench.goToEndOf(5);
    // What is fixed is what is marked where the cursor is.
    await workbench.page.locator('.editor-instance .squiggly-error').first().waitFor({ timeout });
    await workbench.page.keyboard.press('Control+.');
    await fix.waitFor({ timeout });
    await workbench.picture('quick-fix');
    await fix.click({ timeout });
  });
  await isAsked(workbench, chat, { question: /^\/fix $/, chips: [`Problem at ${orders}:5`, orders] });
}

/** By the menu of the branch whose build failed for it. */
async function askAboutBuild(stage: Stage, chat: Chat): Promise<void> {
  const { workbench } = stage;
  const branch = await devBranch(stage);
  await workbench.status(/failed/).waitFor();
  await workbench.openContainer('Modelbench');
  await workbench.openView('Branches');
  const chip = removing(chat, `Failed build of ${branch}`);
  await workbench.rowMenu(workbench.row('Branches', branch), 'Ask the Agent About This Build', chip);
  await isAsked(workbench, chat, { question: /^\/fix $/, chips: [`Failed build of ${branch}`] });
}

/** By the menu of the file that the branch changed. */
async function askAboutChange(workbench: Workbench, chat: Chat): Promise<void> {
  await workbench.openView('Changes');
  const chip = removing(chat, `${orders} on the dev branch`);
  const row = workbench.row('Changes', /orders\.yml/);
  await workbench.rowMenu(row, 'Ask the Agent About This Change', chip);
  await isAsked(workbench, chat, {
    question: /^\/explain the change of model\/cubes\/orders\.yml$/,
    chips: [`${orders} on the parent branch`, `${orders} on the dev branch`],
  });
}

/** Opens the chat for the first time, and sets it up. */
export async function setUpChat({ workbench, url }: Stage): Promise<Frame> {
  await workbench.run('Modelbench Chat: Open Chat');
  const chat = await workbench.frameWith('#chat');
  await chat.getByRole('button', { name: 'Paste the Chat API URL…' }).click();
  const agent = `${url}/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
  await workbench.answer('Copy it from the agent settings', agent);
  await workbench.pick('API Key of This Account');
  await chat.getByRole('textbox', { name: 'Question for the agent' }).waitFor();
  return chat;
}

function composer(chat: Chat): Locator {
  return chat.getByRole('textbox', { name: 'Question for the agent' });
}

function removing(chat: Chat, chip: string | RegExp): Locator {
  const list = chat.getByRole('list', { name: 'Sent with the question' });
  if (typeof chip !== 'string')
    return list.getByRole('button', { name: new RegExp(`^Remove ${chip.source.slice(1)}`) });
  return list.getByRole('button', { name: `Remove ${chip}`, exact: true });
}

interface Asked {
  readonly question: RegExp;
  readonly chips: readonly (string | RegExp)[];
}

/**
 * What is put into the composer, and nothing else; that it can be taken away again by keyboard; and that the draft that made way
 * comes back. Leaves the composer with that draft.
 */
async function isAsked(workbench: Workbench, chat: Chat, { question, chips }: Asked): Promise<void> {
  const field = composer(chat);
  const removes = removing(chat, /^/);
  for (const chip of chips) await removing(chat, chip).first().waitFor();
  await expect.poll(async () => field.inputValue()).toMatch(question);
  await workbench.picture('asked');
  if (chips.every((chip) => typeof chip === 'string'))
    await expect.poll(async () => removes.count()).toBe(chips.length);
  for (let left = await removes.count(); left > 0; left = await removes.count()) {
    await removes.first().press('Enter');
    await expect.poll(async () => removes.count()).toBeLessThan(left);
  }
  await field.fill('');
  await field.press('ArrowUp');
  await expect.poll(async () => field.inputValue()).toBe(draft);
}
