import { expect } from 'vitest';
import { listBranches } from '#api/resources/branches.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { send as ask } from '#support/platform.ts';
import type { Stage } from './journey.ts';
import { untilSeen } from './until.ts';

/** Operations as documents: written with help, sent, streamed, refused, asked about, stopped, looked up. */
export async function apiExplorerView(stage: Stage): Promise<void> {
  await openRequest(stage);
  await send(stage);
  await write(stage);
  await exportCsv(stage);
  await chat(stage);
  await askBeforeDeleting(stage);
  await stop(stage);
  await lookBack(stage);
  await stage.workbench.pictures('request');
  expect(await stage.workbench.notifications()).toEqual([]);
}

/** From the view, which the setting shows, and from the palette. */
async function openRequest({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.openOnly('API Explorer');
  const listReports = workbench.row('API Explorer', 'listReports');
  await workbench.expand(workbench.row('API Explorer', 'Reports'), listReports);
  await workbench.sideBarPictures('view');
  await workbench.widenSideBar(300);
  await workbench.openRow(listReports, workbench.tab('listReports.request.json'));
  await expect.poll(async () => workbench.editorText()).toMatch(/"deploymentId": "1"[^]*"query": \{\}/);
  await workbench.picture('request');
}

async function send({ workbench, platform }: Stage): Promise<void> {
  await workbench.lensAction('Send', workbench.tab('listReports 200.json'));
  await workbench.message(/listReports: 200 · \d+ ms · /).waitFor();
  await workbench.lens(/^\s*200 · \d+ ms/).waitFor();
  await workbench.picture('answer');
  expect(await workbench.page.locator('.monaco-workbench').innerText()).not.toContain(platform.apiKey);
}

/** The schema of the operation completes and checks what is typed. */
async function write(stage: Stage): Promise<void> {
  const { workbench, platform } = stage;
  await openOperation(stage, 'createBranch');
  await workbench.replaceLine(7, '"name": "made-by-hand", "enterDevMode": "no"');
  await (await workbench.problem('Incorrect type. Expected "boolean"')).waitFor();
  await workbench.picture('checked');
  await workbench.closePanel();
  await workbench.replaceLine(7, '"name": "made-by-hand", ');
  const offered = workbench.page.locator('.suggest-widget .monaco-list-row', { hasText: 'enterDevMode' });
  await untilSeen(offered, async () => workbench.page.keyboard.press('Control+Space'));
  await workbench.picture('completed');
  await workbench.page.keyboard.press('Escape');
  await workbench.replaceLine(7, '"name": "made-by-hand"');
  await workbench.run('Modelbench: Send API Request');
  await workbench.message(/createBranch: 20\d · \d+ ms · /).waitFor();
  const { value } = await ask(platform, listBranches, { params: { deploymentId: demo.shop } });
  expect(JSON.stringify(value)).toContain('"made-by-hand"');
}

async function exportCsv(stage: Stage): Promise<void> {
  await openOperation(stage, 'exportAuditLog');
  await stage.workbench.run('Modelbench: Send API Request');
  await stage.workbench.tab('exportAuditLog 200.csv').waitFor();
  await auditTable(stage);
}

/** The same as a table, from the command made for it. */
async function auditTable({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench Admin: Show Audit Log');
  await workbench.tab('Audit Log').waitFor();
  await workbench
    .webview()
    .getByRole('button', { name: /^Period: since / })
    .click();
  await workbench.pick('All Events');
  await workbench.webview().getByRole('button', { name: 'Period: all' }).waitFor();
  await workbench
    .webview()
    .getByText(/\d+ rows in/)
    .waitFor();
  await workbench.picture('audit');
  await workbench.run('View: Close Editor');
}

/** The agent's answer grows line by line, asked with a service token; stopping keeps what came. */
async function chat(stage: Stage): Promise<void> {
  const { workbench, url } = stage;
  await workbench.run('Modelbench Chat: Choose Agent or Set Chat API URL…');
  const path = `api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;
  await workbench.answer('Copy it from the agent settings', `${url}/${path}`);
  await workbench.pick('Service Token (JWT)…');
  const exp = Math.floor(Date.now() / 1000) + 600;
  await workbench.answer('secret storage', signJwt({ sub: 'ada', scope: ['chat'], exp }, demo.apiSecret));
  await openOperation(stage, 'streamChatByAgent');
  await workbench.replaceLine(7, '"body": { "input": "Tell me a long story about the data" }');
  await workbench.run('Modelbench: Send API Request');
  await workbench.tab('streamChatByAgent 200.jsonl').waitFor();
  // It is shown before it is whole.
  await workbench.notification('Sending streamChatByAgent').waitFor();
  await workbench.picture('streaming');
  await workbench.notificationButton('Sending streamChatByAgent', 'Cancel');
  await workbench.lens(/^\s*200 · .* \(stopped\)/).waitFor();
  const shown = workbench.page.locator('.editor-instance').filter({ hasText: '"role"' });
  await shown.first().waitFor();
  await workbench.picture('stopped');
}

async function openOperation({ workbench }: Stage, name: string): Promise<void> {
  await workbench.run('Modelbench: Open API Explorer');
  await workbench.quickInput.locator('input.input').fill(name);
  await workbench.pick(name);
  await workbench.tab(`${name}.request.json`).waitFor();
  await expect.poll(async () => workbench.editorText()).toContain(`schema/${name}.json`);
}

async function askBeforeDeleting({ workbench, platform }: Stage): Promise<void> {
  await workbench.run('Modelbench: Open API Explorer');
  await workbench.quickInput.locator('input.input').fill('stopDevMode');
  await workbench.picture('operations');
  await workbench.pick('stopDevMode');
  await workbench.tab('stopDevMode.request.json').waitFor();
  platform.control.clearRequestLog();
  await workbench.run('Modelbench: Send API Request');
  await workbench.page.locator('.monaco-dialog-box', { hasText: 'Run stopDevMode on' }).waitFor();
  await workbench.picture('asked');
  await workbench.dialog('Cancel');
  expect(platform.control.requestLog.filter(({ method }) => method === 'DELETE')).toEqual([]);
  // A refusal is an answer too.
  platform.control.faults([{ kind: 'status', status: 403, path: 'dev-mode', times: 1 }]);
  await workbench.run('Modelbench: Send API Request');
  await workbench.dialog('Delete');
  await workbench.tab('stopDevMode 403.json').waitFor();
  await workbench.lens(/^\s*403 · \d+ ms/).waitFor();
  await workbench.picture('refused');
}

async function stop({ workbench, platform }: Stage): Promise<void> {
  await workbench.showText('listReports.request.json');
  platform.control.faults([{ kind: 'hang', path: 'reports' }]);
  await workbench.run('Modelbench: Send API Request');
  await workbench.notificationButton('Sending listReports', 'Cancel');
  await workbench.notification('Sending listReports').waitFor({ state: 'hidden' });
  platform.control.faults([]);
}

async function lookBack({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench: Copy API Request as curl');
  await workbench.message('Copied. Set MODELBENCH_API_KEY to your key before you run it').waitFor();
  await workbench.run('Modelbench: Show API Request History');
  await workbench.option('stopDevMode').first().waitFor();
  await workbench.picture('history');
  await workbench.pick('listReports');
  await workbench.tab('listReports.request.json').waitFor();
}
