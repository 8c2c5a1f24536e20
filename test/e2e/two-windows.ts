import { expect } from 'vitest';
import { startDevModeOn } from './dev-mode.ts';
import type { Stage } from './journey.ts';
import { devBranch, remoteFile } from './platform-state.ts';
import { Workbench } from './workbench.ts';

const customers = 'model/cubes/customers.yml';

/** A second window on the same folder and dev branch reads and says so, and sends what was saved once the first is gone. */
export async function takeOverInSecondWindow(stage: Stage): Promise<void> {
  const { workbench, host, folder } = stage;
  await startDevModeOn(workbench, 'main');
  await workbench.status(/dev-\S+ · ✓/).waitFor();
  const branch = await devBranch(stage);
  const page = await host.open({ folder, context: workbench.page.context() });
  const second = new Workbench(host, page, 'branches/second');
  await second.ready();
  await second.openContainer('Modelbench');
  const only = second.view('Changes').getByText('Another window syncs this folder; this one only shows its changes.');
  await only.waitFor();
  await second.openFile('customers.yml');
  await second.replaceLine(4, 'title: Buyers');
  await second.save();
  await second.status(/↑1/).waitFor();
  await second.picture('reads');
  expect(await remoteFile(stage, branch, customers)).not.toContain('title: Buyers');
  // As a user closes a tab: the page is left, and with it what runs behind it.
  await workbench.page.goto('about:blank');
  await expect
    .poll(async () => {
      await second.run('Modelbench: Compare with the Platform');
      return only.count();
    })
    .toBe(0);
  await second.save();
  await expect.poll(async () => remoteFile(stage, branch, customers)).toContain('title: Buyers');
  await second.status(/✓/).waitFor();
  await second.picture('sends');
  await page.close();
}
