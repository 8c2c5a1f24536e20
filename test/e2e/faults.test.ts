import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journey } from './journey.ts';
import { devBranch, differences, remoteFile, writes } from './platform-state.ts';

const orders = 'model/cubes/orders.yml';
const soon = { timeout: 60_000 };

describe('signing in', () => {
  it('says in one sentence what is wrong, under the input that is to blame', async () => {
    await journey('sign-in-faults', { platform: { faults: true } }, async ({ workbench, platform, url }) => {
      await workbench.openContainer('Modelbench');
      await workbench.run('Modelbench: Sign In');
      for (const [typed, problem] of [
        ['http://platform.example', /https/i],
        ['not a url', /address|URL/i],
      ] as const) {
        await workbench.answer('(1/2)', typed);
        await workbench.quickInput.getByText(problem).first().waitFor();
      }
      await workbench.picture('no-plain-http');
      // A port where nobody listens.
      await workbench.answer('(1/2)', 'http://127.0.0.1:9');
      await workbench.answer('(2/2)', platform.apiKey);
      await workbench.quickInput
        .getByText(/reach|refused|connect/i)
        .first()
        .waitFor();
      await workbench.picture('nobody-there');
      await workbench.answer('(1/2)', url);
      for (const [key, problem] of [
        ['no-such-key', /not accepted|refused|wrong|invalid|not know/i],
        [platform.control.demo.keys.expired, /expired|not accepted|refused/i],
      ] as const) {
        await workbench.answer('(2/2)', key);
        await workbench.quickInput.getByText(problem).first().waitFor();
      }
      await workbench.picture('wrong-key');
      platform.control.faults([{ kind: 'html', path: '/api/v1/', times: 1 }]);
      await workbench.answer('(2/2)', platform.apiKey);
      await workbench.quickInput
        .getByText(/web page|HTML|JSON/i)
        .first()
        .waitFor();
      await workbench.picture('a-web-page');
      await workbench.page.keyboard.press('Escape');
      expect(await workbench.rows('Deployments')).toEqual([]);
    });
  });
});

describe('a workspace that is not trusted', () => {
  it('shows the platform and sends it nothing', async () => {
    const options = { signedIn: true, host: { workspaceTrust: true }, platform: { faults: true } };
    await journey('untrusted', options, async (stage) => {
      const { workbench, platform } = stage;
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(400);
      await workbench.row('Branches', 'main').waitFor();
      await workbench
        .view('Changes')
        .getByText(/Restricted Mode/)
        .waitFor();
      await workbench.picture('restricted');
      await workbench.page.keyboard.press('F1');
      await workbench.quickInput.locator('input.input').fill('>Modelbench: S');
      await workbench.option('Modelbench: Show Log').waitFor();
      expect(await workbench.option(/Start Dev Mode/).count()).toBe(0);
      await workbench.page.keyboard.press('Escape');
      await workbench.run('Modelbench: Open API Explorer');
      await workbench.quickInput.locator('input.input').fill('createBranch');
      await workbench.pick('createBranch');
      await workbench.tab('createBranch.request.json').waitFor();
      await workbench.run('Modelbench: Send API Request');
      await workbench.notification('In Restricted Mode only GET requests are sent').waitFor();
      await workbench.openFile('orders.yml');
      await workbench.typeBelow(5, '    meta:\n      owner: finance');
      await workbench.save();
      expect(platform.control.requestLog.filter(({ method }) => method !== 'GET')).toEqual([]);
      expect(writes(stage)).toEqual([]);
    });
  });
});

describe('saving while the platform is away', () => {
  it('loses nothing and catches up', async () => {
    await journey('offline', { signedIn: true, platform: { faults: true } }, async (stage) => {
      const { workbench, platform } = stage;
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(400);
      await workbench.rowAction(workbench.row('Branches', 'main'), 'Start Dev Mode…');
      await workbench.status(/dev-\S+ · ✓/).waitFor();
      const branch = await devBranch(stage);
      platform.control.faults([{ kind: 'reset' }]);
      await workbench.openFile('orders.yml');
      await workbench.typeBelow(5, '    meta:\n      owner: finance');
      await workbench.save();
      await workbench.status(/waiting|↑1/).waitFor();
      await workbench.picture('waiting');
      expect(await remoteFile(stage, branch, orders)).not.toContain('owner: finance');
      platform.control.faults([]);
      await expect.poll(async () => differences(stage, branch), soon).toEqual([]);
      await workbench.status(/ ✓ /).waitFor();
      await workbench.picture('caught-up');
    });
  });
});

describe('a file that changed on both sides', () => {
  it('is never overwritten: a person decides', async () => {
    await journey('both-changed', { signedIn: true, platform: { faults: true } }, async (stage) => {
      const { workbench, platform, url, folder } = stage;
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(400);
      await workbench.rowAction(workbench.row('Branches', 'main'), 'Start Dev Mode…');
      await workbench.status(/dev-\S+ · ✓/).waitFor();
      const branch = await devBranch(stage);
      const before = (await remoteFile(stage, branch, orders)) ?? '';
      const theirs = before.replace('title: Orders', 'title: Sales');
      const response = await fetch(`${url}/build/api/v1/deployments/1/data-model/files`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${platform.apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ branchName: branch, files: [{ path: orders, content: theirs }] }),
      });
      expect(response.ok).toBe(true);
      await workbench.openFile('orders.yml');
      await workbench.replaceLine(4, 'title: Deals');
      await workbench.save();
      await workbench.status(/⚠/).waitFor();
      await workbench.row('Changes', 'orders.yml').waitFor();
      await workbench.picture('conflict');
      expect(await remoteFile(stage, branch, orders)).toBe(theirs);
      await workbench.run('Modelbench: Take Platform’s Version');
      await expect.poll(async () => differences(stage, branch), soon).toEqual([]);
      await workbench.notification('Your version is in the trash').waitFor();
      await workbench.picture('taken');
      // What was given up is a row of the trash, compared with what is there, and back.
      await workbench.run('Modelbench: Restore from Trash…');
      await workbench.option(/orders\.yml/).waitFor();
      await workbench.quickInput.getByRole('button', { name: 'Compare with the File as It Is Now' }).first().click();
      await workbench.tab(/Now ↔ Trash/).waitFor();
      await workbench.picture('trash');
      await workbench.page.keyboard.press('Enter');
      await expect.poll(async () => readFile(join(folder, orders), 'utf8'), soon).toContain('title: Deals');
    });
  });
});
