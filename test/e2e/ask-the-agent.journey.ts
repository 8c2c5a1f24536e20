import type { Frame, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import type { Stage } from './journey.ts';
import { playground } from './queries.journey.ts';
import type { Workbench } from './workbench.ts';

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
}

async function setUpChat({ workbench, url }: Stage): Promise<Frame> {
  await workbench.run('Modelbench Chat: Open Chat');
  const chat = await workbench.frameWith('#chat');
  await chat.getByRole('button', { name: 'Paste the Chat API URL…' }).click();
  const agent = `${url}/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
  await workbench.answer('Copy it from the agent settings', agent);
  await workbench.pick('API Key of This Account');
  await chat.getByRole('textbox', { name: 'Question for the agent' }).waitFor();
  return chat;
}

function composer(chat: Frame): Locator {
  return chat.getByRole('textbox', { name: 'Question for the agent' });
}

function removing(chat: Frame, chip: string | RegExp): Locator {
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
async function isAsked(workbench: Workbench, chat: Frame, { question, chips }: Asked): Promise<void> {
  const field = composer(chat);
  const removes = removing(chat, /^/);
  for (const chip of chips) await removing(chat, chip).first().waitFor();
  await expect.poll(async () => field.inputValue()).toMatch(question);
  await workbench.picture('asked');
  if (chips.every((chip) => typeof chip === 'string')) expect(await removes.count()).toBe(chips.length);
  for (let left = await removes.count(); left > 0; left = await removes.count()) {
    await removes.first().press('Enter');
    await expect.poll(async () => removes.count()).toBeLessThan(left);
  }
  await field.fill('');
  await field.press('ArrowUp');
  await expect.poll(async () => field.inputValue()).toBe(draft);
}
