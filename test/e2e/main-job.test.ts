import { describe, it } from 'vitest';
import { journey } from './journey.ts';
import { devBranch, differences } from './platform-state.ts';

describe('the main job', () => {
  it('goes from signing in to production, in a real VS Code', async () => {
    await journey('main-job', { platform: { faults: true } }, async (stage) => {
      const { workbench, platform, url } = stage;
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
      await workbench.picture('saved');
      console.log(await workbench.status(/Shop analytics/).innerText());
      await new Promise((r) => setTimeout(r, 3000));
      console.log(await differences(stage, await devBranch(stage)));
      await workbench.picture('saved2');
    });
  });
});
