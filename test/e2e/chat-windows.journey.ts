import type { FrameLocator } from 'playwright-core';
import { expect } from 'vitest';
import { ask, endless, newThread } from './ask.ts';
import { chatBar, closeChat } from './chat-bar.ts';
import type { Stage } from './journey.ts';
import { untilTrue } from './until.ts';
import { Workbench } from './workbench.ts';

const question = 'Tell me a long story about the data';

/** Milliseconds a word until the answer has begun. */
const quick = 40;

/** The text of a chat's last answer; grows while it streams. */
const textOf = async (chat: FrameLocator): Promise<string> =>
  (await chat.locator('.turn').last().locator('.answer > .markdown').textContent()) ?? '';

interface Shown {
  readonly length: number;
  /** Without the last block, which is redrawn while it is written. */
  readonly settled: string;
}

/** What is shown of an answer once it is longer than `length`, while it is still coming. */
async function grown(chat: FrameLocator, length: number): Promise<Shown> {
  await expect.poll(async () => (await textOf(chat)).length).toBeGreaterThan(length);
  await chat.getByRole('button', { name: 'Stop' }).waitFor();
  return { length: (await textOf(chat)).length, settled: await settledOf(chat) };
}

async function settledOf(chat: FrameLocator): Promise<string> {
  const blocks = await chat.locator('.turn').last().locator('.answer > .markdown > *').allTextContents();
  return blocks.slice(0, -1).join('\n');
}

/** One answer continues while its view is hidden, moved, shown in two windows, and over a restart of VS Code. */
export async function keepAnswering(stage: Stage): Promise<void> {
  const { workbench, platform, host, folder } = stage;
  stage.setAgent({ agentUrl: undefined, chatDelayMs: quick });
  platform.control.clearRequestLog();
  const calls = (path: string): readonly number[] =>
    platform.control.requestLog.filter((call) => call.path.endsWith(path)).map(({ status }) => status);
  const chat = await workbench.openChat();
  await newThread(chat);
  await ask(chat, question);
  let text = await grown(chat, 30);
  stage.setAgent({ chatDelayMs: endless });

  // Hidden: VS Code throws the page away; the answer continues without it.
  await closeChat(workbench.page);
  await expect.poll(async () => workbench.page.locator('iframe.webview').count()).toBe(0);
  await workbench.openChat();
  const shown = await grown(chat, text.length);
  expect(shown.settled.startsWith(text.settled)).toBe(true);

  // Moved to the panel.
  await workbench.run('View: Move View');
  await workbench.pick('Modelbench Chat');
  await workbench.pick('New Panel Entry');
  const inPanel = '.part.panel iframe.webview.ready, .part.panel .composite.title:has-text("Modelbench Chat")';
  await workbench.page.locator(inPanel).first().waitFor();
  text = await grown(chat, shown.length);
  expect(text.settled.startsWith(shown.settled)).toBe(true);
  await workbench.picture('moved');
  // One question, one connection: nothing was sent again.
  expect(calls('/chat/stream-chat-state')).toEqual([200]);

  expect(text.settled).not.toBe('');

  // A second window on the same thread: it follows the same answer, and stops it for both.
  const page = await host.open({ folder, context: workbench.page.context() });
  const second = new Workbench(host, page, 'chat-windows/second');
  await second.ready();
  await second.status(/Shop analytics|dev-/).waitFor();
  await second.run('Modelbench Chat: Open Chat Thread');
  await second.pick(question);
  const chat2 = second.webview();
  const followed = await grown(chat2, text.length);
  expect(followed.settled.startsWith(text.settled)).toBe(true);
  await second.picture('followed');
  await chat2.getByRole('button', { name: 'Stop' }).click();
  await chat2.getByText('Stopped.', { exact: true }).waitFor();
  await chat.getByText('The answer was stopped elsewhere.').waitFor();
  await expect.poll(async () => chat.locator('.turn').count()).toBe(1);
  // Both have the same text; of the last words, one connection may have got more than the other.
  await untilTrue(async () => {
    const shown = [await settledOf(chat), await settledOf(chat2)];
    const [short = '', long] = shown.toSorted((a, b) => a.length - b.length);
    return short !== '' && long?.startsWith(short) === true;
  });
  expect(calls('/chat/abort')).toEqual([204]);
  await page.close();

  // VS Code's server ends in the middle of an answer, and all of its windows' extensions with it; the next one takes it up.
  stage.setAgent({ chatDelayMs: quick });
  await ask(chat, `${question}, please`);
  await chat.locator('.turn').nth(1).waitFor();
  text = await grown(chat, 30);
  stage.setAgent({ chatDelayMs: endless });
  const context = workbench.page.context();
  await workbench.page.close();
  await host.restart();
  const next = new Workbench(host, await host.open({ folder, context }), 'chat-windows/next');
  await next.ready();
  await next.status(/Shop analytics|dev-/).waitFor();
  await next.run('Modelbench Chat: Open Chat');
  // Where the user has moved it.
  await next.page.locator(inPanel).first().waitFor();
  await chatBar(next.page).waitFor({ state: 'hidden' });
  const chat3 = next.webview();
  await chat3.locator('.turn').nth(1).waitFor();
  const again = await grown(chat3, text.length);
  expect(again.settled.startsWith(text.settled)).toBe(true);
  await next.picture('restarted');
  await chat3.getByRole('button', { name: 'Stop' }).click();
  // The first turn, stopped elsewhere before, says so too once it is read from the thread.
  await chat3.locator('.turn').nth(1).getByText('Stopped.', { exact: true }).waitFor();
  await expect.poll(async () => chat3.locator('.turn').count()).toBe(2);
  expect(calls('/chat/abort')).toEqual([204, 204]);
}
