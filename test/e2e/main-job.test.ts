import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { journey } from './journey.ts';
import { devBranch, differences, remoteFile } from './platform-state.ts';

const orders = 'model/cubes/orders.yml';

describe('the main job', () => {
  it('goes from signing in to production, in a real VS Code', async () => {
    await journey('main-job', { platform: { faults: true } }, async (stage) => {
      const { workbench, platform, url, folder } = stage;
      await workbench.openContainer('Modelbench');
      await workbench.widenSideBar(400);
      await workbench.view('Deployments').getByRole('button', { name: 'Sign In' }).waitFor();
      await workbench.picture('signed-out');

      await workbench.run('Modelbench: Sign In');
      await workbench.answer('Tenant URL', url);
      await workbench.answer('API key', platform.apiKey);
      await workbench.row('Deployments', 'Shop analytics').waitFor();
      await workbench.row('Branches', 'pricing-experiments').waitFor();
      await workbench.openView('Workspace');
      await workbench.row('Workspace', /.+/).waitFor();
      await workbench.picture('signed-in');
      await workbench.closeView('Workspace');

      await workbench.rowAction(workbench.row('Branches', 'pricing-experiments'), 'Start Dev Mode…');
      await workbench.status(/Shop analytics · dev-/).waitFor();
      await workbench.row('Branches', /^dev-/).first().waitFor();
      await workbench.picture('dev-mode');
      console.log(await workbench.rows('Branches'), await workbench.rows('Deployments'));

      await workbench.openFile('orders.yml');
      await workbench.typeBelow(5, '    meta:\n      owner: finance');
      await workbench.save();
      const dev = await devBranch(stage);
      await expect.poll(async () => remoteFile(stage, dev, orders), { timeout: 20000 }).toContain('owner: finance');
      await workbench.status(/dev-ada-1 · ↓1 · .*built/s).waitFor();
      await workbench.picture('saved');

      await workbench.run('Modelbench: Pull Files');
      await expect.poll(async () => differences(stage, dev), { timeout: 20000 }).toEqual([]);
      await workbench.picture('pulled');

      // several files at once
      writeFileSync(
        join(folder, 'model/cubes/coupons.yml'),
        'cubes:\n  - name: coupons\n    sql_table: customers\n    dimensions:\n      - name: id\n        sql: id\n        type: number\n        primary_key: true\n',
      );
      renameSync(join(folder, 'model/cubes/suppliers.yml'), join(folder, 'model/cubes/vendors.yml'));
      writeFileSync(
        join(folder, 'model/views/pricing.yml'),
        readFileSync(join(folder, 'model/views/pricing.yml'), 'utf8') + '# checked\n',
      );
      rmSync(join(folder, 'model/cubes/returns.js'));
      await new Promise((r) => setTimeout(r, 3000));
      console.log(await workbench.rows('Changes'));
      await workbench.run('Modelbench: Push');
      await workbench.row('Push Plan', 'coupons.yml').waitFor();
      await workbench.picture('push-plan');
      console.log(await workbench.rows('Push Plan'));
      platform.control.clearRequestLog();
      await workbench.run('Modelbench: Apply Plan');
      await new Promise((r) => setTimeout(r, 2000));
      await workbench.picture('pushing');
      await expect.poll(async () => differences(stage, dev), { timeout: 20000 }).toEqual([]);
      console.log(platform.control.requestLog.map((x) => x.method + ' ' + x.path).filter((x) => !x.startsWith('GET')));
      await new Promise((r) => setTimeout(r, 3000));
      await workbench.picture('pushed');

      await workbench.openFile('orders.yml');
      await workbench.typeBelow(23, '      - name: broken\n        sql: id\n        type: strng');
      await workbench.save();
      await workbench.status(/failed/).waitFor();
      await workbench.problem(/strng|type/).then((r) => r.waitFor());
      await workbench.picture('broken');
      console.log(await workbench.page.locator('.markers-panel .monaco-list-row').allInnerTexts());
      await workbench.replaceLine(26, 'type: string');
      await workbench.save();
      await workbench.status(/built/).waitFor();
      await workbench.picture('mended');
      await workbench.page.keyboard.press('Control+J');

      await workbench.openContainer('Modelbench');
      await workbench.run('Modelbench: Commit');
      await workbench.picture('commit-message');
      await workbench.answer('Message of the commit', 'Owners, coupons and vendors');
      await workbench.message(/Committed at/).waitFor();
      await workbench.picture('committed');
      await platform.control.colleagueCommit(1, 'pricing-experiments', {
        'model/views/seasons.yml':
          'views:\n  - name: seasons\n    cubes:\n      - join_path: orders\n        includes: [status, count]\n',
      });
      await workbench.run('Modelbench: Pull from Parent Branch');
      await workbench.message(/Pulled/).waitFor();
      await new Promise((r) => setTimeout(r, 2000));
      await workbench.picture('pulled-from-parent');
      await workbench.run('Modelbench: Pull Files');
      await expect.poll(async () => differences(stage, dev), { timeout: 20000 }).toEqual([]);
      await workbench.picture('pulled-files');

      // a real conflict
      await platform.control.colleagueCommit(1, 'pricing-experiments', {
        [orders]: readFileSync(join(folder, orders), 'utf8').replace('owner: finance', 'owner: sales'),
      });
      await workbench.openFile('orders.yml');
      await workbench.replaceLine(7, 'owner: controlling');
      await workbench.save();
      await expect.poll(async () => remoteFile(stage, dev, orders), { timeout: 20000 }).toContain('controlling');
      await workbench.run('Modelbench: Commit');
      await workbench.answer('Message of the commit', 'Another owner');
      await new Promise((r) => setTimeout(r, 2500));
      await workbench.picture('commit-refused');
      console.log(await workbench.notifications());
      await workbench.notificationButton(/./, 'Pull from Parent').catch((e) => console.log(String(e)));
      await new Promise((r) => setTimeout(r, 2500));
      await workbench.picture('conflict');
      console.log(await workbench.notifications());
      await workbench.notificationButton(/Git conflict/, 'Show Conflicts').catch((e) => console.log(String(e)));
      await new Promise((r) => setTimeout(r, 1500));
      await workbench.picture('conflict-list');
      await workbench.pick(orders);
      await new Promise((r) => setTimeout(r, 2500));
      await workbench.picture('conflict-diff');
    });
  });
});
