import { describe, expect, it } from 'vitest';
import { journey, type Stage } from './journey.ts';

const settings = { 'modelbench.apiExplorer.enabled': true };

/** Longest that an editor may take to draw, in milliseconds. */
const soon = { timeout: 30_000 };

describe('the API Explorer', () => {
  it('runs operations as documents: filled in, sent, refused, asked about, stopped, looked up', async () => {
    const options = { signedIn: true, platform: { faults: true }, host: { settings } };
    await journey('api-explorer', options, async (stage) => {
      await openRequest(stage);
      await send(stage);
      await askBeforeDeleting(stage);
      await stop(stage);
      await lookBack(stage);
      await stage.workbench.setTheme('dark', settings);
      await stage.workbench.picture('dark');
      expect(await stage.workbench.notifications()).toEqual([]);
    });
  });
});

/** From the view, which the setting shows, and from the palette. */
async function openRequest({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(400);
  await workbench.row('Branches', 'main').waitFor();
  for (const view of ['Deployments', 'Branches', 'Changes']) await workbench.closeView(view);
  await workbench.openView('API Explorer');
  await workbench.expand(workbench.row('API Explorer', 'Reports'));
  await workbench.row('API Explorer', 'listReports').click();
  await workbench.tab('listReports.request.json').waitFor();
  await expect.poll(async () => workbench.editorText(), soon).toMatch(/"deploymentId": "1"[^]*"query": \{\}/);
  await workbench.picture('request');
}

async function send({ workbench, platform }: Stage): Promise<void> {
  await lens(workbench, 'Send').click();
  await workbench.tab('listReports 200.json').waitFor();
  await workbench.message(/listReports: 200 · \d+ ms · /).waitFor();
  await lens(workbench, /^\s*200 · \d+ ms/).waitFor();
  await workbench.picture('answer');
  expect(await workbench.page.locator('.monaco-workbench').innerText()).not.toContain(platform.apiKey);
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
  await lens(workbench, /^\s*403 · \d+ ms/).waitFor();
  await workbench.picture('refused');
}

async function stop({ workbench, platform }: Stage): Promise<void> {
  await workbench.tab('listReports.request.json').click();
  platform.control.faults([{ kind: 'hang', path: 'reports' }]);
  await workbench.run('Modelbench: Send API Request');
  await workbench.notificationButton('Sending listReports', 'Cancel');
  await workbench.notification('Sending listReports').waitFor({ state: 'hidden' });
  platform.control.faults([]);
}

async function lookBack({ workbench }: Stage): Promise<void> {
  await workbench.run('Modelbench: Copy API Request as curl');
  await workbench.message('Copied; put your key into MODELBENCH_API_KEY').waitFor();
  await workbench.run('Modelbench: Show API Request History');
  await workbench.option('stopDevMode').first().waitFor();
  await workbench.picture('history');
  await workbench.pick('listReports');
  await workbench.tab('listReports.request.json').waitFor();
}

function lens({ page }: Stage['workbench'], text: string | RegExp): ReturnType<typeof page.locator> {
  return page.locator('.codelens-decoration a, .codelens-decoration span').filter({ hasText: text }).first();
}
