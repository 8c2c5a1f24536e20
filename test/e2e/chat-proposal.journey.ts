import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { ask, newThread } from './ask.ts';
import { startDevModeOn } from './dev-mode.ts';
import type { Stage } from './journey.ts';
import { devBranch, remoteFile } from './platform-state.ts';
import { untilSeen } from './until.ts';

const file = 'model/cubes/suppliers.yml';
const changed = 'model/cubes/customers.yml';
const added = 'model/views/supplier_overview.yml';
const sampleText = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../platform/data/sample', path), 'utf8').trimEnd();
const mark = '# Proposed by the agent.';
const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;

/** A model service that answers everything with the same words. */
async function modelThatSays(text: string): Promise<string> {
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** What the agent proposes is reviewed as a diff and reaches the dev branch, and no other, only when it is accepted. */
export async function reviewProposal(stage: Stage): Promise<void> {
  const view = 'views:\n  - name: supplier_overview\n    cubes:\n      - join_path: suppliers\n        includes: "*"';
  const measure = `measures:\n  - name: best_customers ${mark}\n    type: count`;
  const blocks = [
    `Here is the cube:\n\n${fence('yaml', `${sampleText(file)}\n${mark}`)}`,
    `And two files with their names:\n\n${fence(`yaml ${changed}`, measure)}`,
    `The build fails because of this line in \`${file}\`:\n\n${fence('yaml', '    sql_table: suppliers')}`,
    fence(`yaml ${added}`, `${view}\n${mark}`),
  ];
  const agentUrl = await modelThatSays(blocks.join('\n'));
  const { workbench } = stage;
  stage.setAgent({ agentUrl, chatDelayMs: 0 });
  await workbench.run('View: Close All Editors');
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(460);
  await workbench.openView('Branches');
  await startDevModeOn(workbench, 'pricing-experiments');
  await workbench.status(/dev-/).waitFor();
  const dev = await devBranch(stage);
  const chat = await workbench.openChat();
  await newThread(chat);
  // What is open in the editor can go along with the question.
  await workbench.openFile('orders.yml');
  await workbench.run('Modelbench Chat: Add File to Chat');
  const attached = chat.getByRole('list', { name: 'Sent with the question' });
  const remove = attached.getByRole('button', { name: 'Remove model/cubes/orders.yml' });
  await remove.click();
  await remove.waitFor({ state: 'detached' });
  await ask(chat, 'How many orders were there by status?');
  const review = chat.getByRole('button', { name: 'Review as Change to a Model File…' }).first();
  await review.waitFor();

  await untilSeen(workbench.option(file), async (timeout) => review.click({ timeout }));
  await workbench.pick(file);
  await workbench.notification(/Apply the agent.s proposal/).waitFor();
  await workbench.picture('diff');
  const marked = async (branch: string): Promise<readonly string[]> => {
    const texts = await Promise.all(
      [file, changed, added].map(async (path) => ({ path, text: await remoteFile(stage, branch, path) })),
    );
    return texts.filter(({ text }) => text?.includes(mark)).map(({ path }) => path);
  };
  expect(await marked(dev)).toEqual([]);
  await workbench.notificationButton(/Apply the agent.s proposal/, 'Apply');
  await expect.poll(async () => marked(dev)).toEqual([file]);
  await workbench.picture('applied');

  // Into a text of one's own, at the cursor.
  await workbench.run('File: New Untitled Text File');
  await workbench.tab('Untitled-1').waitFor();
  // Its tab comes before its editor, where the cursor is.
  await workbench.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
  await chat.getByRole('button', { name: 'Insert at Cursor' }).last().click();
  await expect.poll(async () => workbench.editorText()).toContain('name: supplier_overview');
  const openSql = chat.locator('.result').getByRole('menuitem', { name: 'Open SQL' });
  const more = chat.locator('.result').getByRole('button', { name: 'More Actions' });
  await untilSeen(openSql, async (timeout) => more.click({ timeout }));
  await openSql.click();
  await workbench.tab('Untitled-2').waitFor();
  await expect.poll(async () => workbench.editorText()).toContain('SELECT');

  // Files that the agent names: each is accepted or rejected on its own, and undone.
  // The page of the files is a second web page beside the chat.
  const inChat = await workbench.frameWith('.turn');
  const card = inChat.getByRole('region', { name: 'Proposed changes' });
  await card.getByRole('button', { name: 'Review All' }).click();
  await workbench.tab('Agent’s Proposal').waitFor();
  const page = await workbench.reviewWith(`${added}, added`);
  await workbench.picture('review');
  await askAboutRow(inChat, page);
  await expect.poll(async () => marked(dev)).toEqual([file]);
  // Accepted where it is shown.
  await card.getByRole('button', { name: changed, exact: true }).click();
  await workbench.tab(/customers\.yml ↔/).waitFor();
  await workbench.run('Modelbench Chat: Accept Proposed Change');
  await workbench.tab(/customers\.yml ↔/).waitFor({ state: 'detached' });
  await expect.poll(async () => marked(dev)).toEqual([file, changed]);
  // The piece went into its cube; nothing else of the file is another.
  const merged = (await remoteFile(stage, dev, changed)) ?? '';
  expect(merged.replace(/\n +- name: best_customers .*\n +type: count/, '').trimEnd()).toBe(sampleText(changed));
  await card.getByRole('button', { name: `Undo ${changed}` }).click();
  await expect.poll(async () => marked(dev)).toEqual([file]);
  await card.getByRole('button', { name: 'Review All' }).click();
  await card.getByRole('button', { name: 'Accept All' }).click();
  await expect.poll(async () => marked(dev)).toEqual([file, changed, added]);
  await card.getByRole('button', { name: 'Undo All' }).waitFor();
  await workbench.picture('accepted');
  await expect.poll(async () => marked('main')).toEqual([]);

  // A file that was made by accepting it leaves nothing on the branch when that is taken back.
  await card.getByRole('button', { name: 'Undo All' }).click();
  await expect.poll(async () => marked(dev)).toEqual([file]);
  await expect.poll(async () => remoteFile(stage, dev, added)).toBeUndefined();
  expect(await workbench.notifications()).toEqual([]);
  // Texts that are not stored.
  await workbench.run('View: Close All Editors');
  await workbench.dialog(/Don.t Save/);
  await workbench.page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}

/** *Ask the Agent* on the row of a review page takes the changes of its file along; both can be taken away again. */
async function askAboutRow(chat: Frame, page: Frame): Promise<void> {
  const field = chat.getByRole('textbox', { name: 'Question for the agent' });
  const before = 'My own question';
  await field.fill(before);
  await page.getByRole('treeitem', { name: `${changed}, modified` }).click();
  await page
    .getByRole('region', { name: `Diff of ${changed}` })
    .getByRole('button', { name: 'Ask the Agent' })
    .click();
  const chips = chat.getByRole('list', { name: 'Sent with the question' });
  await chips.getByRole('button', { name: `Remove Changes of ${changed}` }).press('Enter');
  await chips.getByRole('button', { name: /^Remove / }).waitFor({ state: 'detached' });
  await expect.poll(async () => field.inputValue()).toBe('/review ');
  await field.fill('');
  await field.press('ArrowUp');
  await expect.poll(async () => field.inputValue()).toBe(before);
  await field.fill('');
}
