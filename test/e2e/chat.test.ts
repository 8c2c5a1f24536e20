import type { FrameLocator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { demo } from '#platform/seed/names.ts';
import { askAboutModel, setUpChat } from './ask-the-agent.journey.ts';
import { ask, endless, newThread } from './ask.ts';
import { closeChat } from './chat-bar.ts';
import { reviewProposal } from './chat-proposal.journey.ts';
import { keepAnswering } from './chat-windows.journey.ts';
import { startDevModeOn } from './dev-mode.ts';
import { inOneWindow, type Stage } from './journey.ts';

describe('the chat in a real VS Code', () => {
  const play = inOneWindow({ signedIn: true });

  // @shows chat-complaint-4
  play('is set up, answers, stops, survives a reload, and shows one thread in two places', 'chat', setUpAndAsk);
  // @shows chat-complaint-20
  play(
    'shows a proposed model change as a diff, which reaches the dev branch, and no other, only when it is accepted',
    'chat-proposal',
    reviewProposal,
    beginWithChat,
  );
  play(
    'is asked about a member, a problem, a failed build and a change where they are shown, and keeps the draft that was there',
    'chat-ask',
    askAboutModel,
    beginOnDevBranch,
  );
  // The last: it closes the window.
  // @shows chat-complaint-4
  play(
    'continues one answer while its view is hidden, moved, shown in two windows, and over a restart',
    'chat-windows',
    keepAnswering,
    beginWithChat,
  );
});

async function beginWithChat(stage: Stage): Promise<void> {
  await setUpChat(stage);
}

/** The chat is set up, and a dev branch is active. */
async function beginOnDevBranch(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(460);
  await startDevModeOn(workbench, 'main');
  await workbench.status(/dev-\S+ · in sync · .*built/s).waitFor();
  await setUpChat(stage);
}

async function setUpAndAsk(stage: Stage): Promise<void> {
  const { workbench, platform, url } = stage;
  const chat = await workbench.openChat();
  await chat.getByRole('button', { name: 'Paste the Chat API URL…' }).waitFor();
  await workbench.picture('set-up');

  await chat.getByRole('button', { name: 'Paste the Chat API URL…' }).click();
  const agent = `${url}/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
  await workbench.answer('Copy it from the agent settings', agent);
  await workbench.pick('API Key of This Account');
  await chat.getByRole('heading', { name: 'Ask about your data' }).waitFor();
  await workbench.picture('empty');

  await ask(chat, 'Show revenue by month as a chart');
  await chat.locator('.chart-place svg').waitFor();
  await workbench.picture('answer');

  // From what the agent found to where the model defines it.
  await chat.locator('.steps > summary').click();
  await chat.locator('.tool > summary').first().click();
  await chat.locator('.members').getByRole('button', { name: 'Revenue', exact: true }).first().click();
  await workbench.tab(/\.yml/).waitFor();
  await workbench.picture('definition');
  await workbench.run('View: Close Editor');

  // The query again, against the data API of production: the platform issues the token.
  await chat.locator('.result').getByRole('button', { name: 'Run', exact: true }).click();
  await workbench.tab('Revenue by month').waitFor();
  const frames = workbench.page.locator('iframe.webview.ready');
  const inner = (at: number): FrameLocator => frames.nth(at).contentFrame().frameLocator('iframe#active-frame');
  const found = async (): Promise<number> => {
    const counts = await Promise.all(
      [0, 1].map((at) =>
        inner(at)
          .getByText(/^46 rows in/)
          .count(),
      ),
    );
    return Math.max(...counts);
  };
  await expect.poll(found).toBe(1);
  await workbench.picture('results');
  await workbench.run('View: Close Editor');
  await expect.poll(async () => frames.count()).toBe(1);

  stage.setAgent({ chatDelayMs: 40 });
  await ask(chat, 'Tell me a long story about the data');
  const answer = chat.locator('.turn').last().locator('.answer > .markdown');
  await chat.locator('.turn').nth(1).waitFor();
  await expect.poll(async () => (await answer.textContent())?.length ?? 0).toBeGreaterThan(60);
  stage.setAgent({ chatDelayMs: endless });
  await workbench.picture('streaming');
  await chat.getByRole('button', { name: 'Stop' }).click();
  await chat.getByText('Stopped.').waitFor();
  await workbench.picture('stopped');
  const calls = (path: string): readonly number[] =>
    platform.control.requestLog.filter((call) => call.path.endsWith(path)).map(({ status }) => status);
  expect(calls('/chat/abort')).toEqual([204]);
  expect(calls('/chat/stream-chat-state')).toHaveLength(2);

  // The window is reloaded in the middle of an answer: it continues, once, to its end.
  stage.setAgent({ chatDelayMs: 40 });
  await ask(chat, 'Tell me a long story about the data');
  await chat.locator('.turn').nth(2).waitFor();
  await expect.poll(async () => (await answer.textContent())?.length ?? 0).toBeGreaterThan(60);
  stage.setAgent({ chatDelayMs: endless });
  const before = (await answer.textContent())?.slice(0, 50) ?? '';
  await workbench.page.reload();
  await workbench.ready();
  await chat.getByRole('button', { name: 'Stop' }).waitFor();
  await workbench.picture('reloaded');
  stage.setAgent({ chatDelayMs: 0 });
  await chat.getByRole('button', { name: 'Send' }).waitFor();
  await expect.poll(async () => (await answer.textContent())?.startsWith(before)).toBe(true);
  await expect.poll(async () => chat.locator('.turn').count()).toBe(3);
  expect(calls('/chat/abort')).toEqual([204]);

  // The same thread in an editor; the view goes, the editor stays.
  await workbench.run('Modelbench Chat: Open Chat in Editor');
  await workbench.tab(/Show revenue/).waitFor();
  await closeChat(workbench.page);
  await expect.poll(async () => frames.count()).toBe(1);
  const editor = workbench.webview();
  await editor.locator('.turn').nth(2).waitFor();
  await workbench.picture('editor');
  await newThread(editor);
  await ask(editor, 'How many orders were there by status?');
  await editor.getByText('Orders by status').first().waitFor();
  await editor.getByRole('button', { name: 'Send' }).waitFor();
  await workbench.picture('second-thread');
  expect(await workbench.notifications()).toEqual([]);
}
