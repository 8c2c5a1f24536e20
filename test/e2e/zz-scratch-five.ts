import { journey } from '/work/main/test/e2e/journey.ts';
await journey('vscode-dev', { signedIn: true }, async ({ workbench: w, url, platform, host, folder }) => {
  const shot = (n: string) => w.page.screenshot({ path: `/tmp/j/${n}.png` });
  const step = async (n: string, f: () => Promise<void>) => {
    try {
      await f();
    } catch (e) {
      console.log(n, String(e).slice(0, 300));
    }
    await w.page.waitForTimeout(1500);
    await shot(n);
    await w.page.keyboard.press('Escape');
  };
  await w.openContainer('Modelbench');
  await w.openView('Workspace');
  await w.page.waitForTimeout(2500);
  await step('50-vars', () => w.run('Modelbench: Edit Environment Variables'));
  await step('51-version', () => w.run('Modelbench: Change Version or Channel…'));
  await step('52-pods', () => w.run('Modelbench: Show Pods…'));
  await step('53-logs', async () => {
    await w.run('Modelbench: Follow Logs…');
    await w.pick('all');
    await w.pick('all');
  });
  await step('54-search', () => w.run('Modelbench: Search Workspace…'));
  await step('55-api', async () => {
    await w.run('Modelbench: Call API Operation…');
    await w.page.keyboard.type('List the branches');
    await w.page.waitForTimeout(400);
    await w.page.keyboard.press('Enter');
  });
  await step('56-send', () => w.run('Modelbench: Send Request'));
  await step('57-dash', async () => {
    await w.run('Modelbench: Edit Dashboard Draft…');
    await w.page.waitForTimeout(1500);
    await w.page.keyboard.press('Enter');
  });
  await w.run('Notifications: Show Notifications').catch(() => {});
  await w.page.waitForTimeout(500);
  await shot('58');
});
