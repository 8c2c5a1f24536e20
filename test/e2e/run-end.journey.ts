import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { playground } from './queries.journey.ts';

/**
 * However a page of the playground ends while its query runs, the query ends on the platform as well, and no page stays
 * that nothing answers. *Restart Extension Host* is not played, because a window in a browser does not have it.
 */
export async function endRunsWithPages(stage: Stage): Promise<void> {
  const { workbench, platform } = stage;
  platform.control.faults([{ kind: 'hang', method: 'POST', path: '/load$' }]);
  // The platform logs a request once it has ended, with 0 where it was cut off before it was answered.
  const ended = (): readonly number[] =>
    platform.control.requestLog.filter(({ path }) => path.endsWith('/load')).map(({ status }) => status);

  await startRun(stage);
  expect(ended()).toEqual([]);
  await workbench.picture('running');
  await workbench.page.reload();
  await workbench.ready();
  await expect.poll(ended).toEqual([0]);

  await startRun(stage);
  expect(ended()).toEqual([0]);
  // A playground that came back after the reload would be another tab beside the new one.
  await expect.poll(async () => workbench.tab('Playground').count()).toBe(1);
  await workbench.picture('running-after-reload');
  await workbench.run('View: Close Editor');
  await workbench.tab('Playground').waitFor({ state: 'detached' });
  await expect.poll(ended).toEqual([0, 0]);

  await workbench.openFile('orders.yml');
  await workbench.run('Modelbench: Show Join Graph');
  await workbench.tab('Join Graph').waitFor();
  await workbench.run('Modelbench Chat: Open Chat in Editor');
  await workbench.tab('Chat').waitFor();
  await startRun(stage);
  stage.host.crashExtensionHosts();
  for (const page of ['Playground', 'Join Graph']) await workbench.tab(page).waitFor({ state: 'detached' });
  await expect.poll(ended).toEqual([0, 0, 0]);
  await workbench.notification('“Chat” no longer responds').waitFor();
  await workbench.picture('crashed');
  await reloadForChat(stage);

  const page = await startRun(stage);
  expect(ended()).toEqual([0, 0, 0]);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await expect.poll(ended).toEqual([0, 0, 0, 0]);
  await workbench.picture('cancelled');
  platform.control.faults([]);
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page.getByText(/^1 row in /).waitFor();
  // The window's next journey begins with a playground of its own.
  await workbench.closeEditors();
}

/** A page that VS Code restores stays after a crash, and is alive again once the window was reloaded as the notification offers. */
async function reloadForChat({ workbench }: Stage): Promise<void> {
  const chat = workbench.tab('Chat');
  await expect.poll(async () => chat.count()).toBe(1);
  const isLoaded = workbench.page.waitForEvent('domcontentloaded');
  await workbench.notificationButton('“Chat” no longer responds', 'Reload Window');
  await isLoaded;
  await workbench.ready();
  await chat.click();
  await workbench.webview().getByRole('button', { name: 'Send' }).waitFor();
  expect(await workbench.notification('no longer respond').count()).toBe(0);
}

/** Runs a query that the platform never answers. */
async function startRun({ workbench, platform }: Stage): Promise<Frame> {
  await workbench.run('Modelbench: Open Playground');
  const page = await playground(workbench);
  await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
  await page.getByRole('button', { name: 'measure count' }).first().click();
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page.getByText('Running…').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
  // A query that is cancelled before it was sent never arrives, so it would never end there.
  const arrived = (): readonly string[] => platform.control.requestsUnderway.filter((path) => path.endsWith('/load'));
  await expect.poll(arrived).toHaveLength(1);
  return page;
}
