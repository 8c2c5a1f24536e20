import { expect } from 'vitest';
import type { Stage } from './journey.ts';
import { devBranch, remoteFile } from './platform-state.ts';
import { Workbench } from './workbench.ts';

const customers = 'model/cubes/customers.yml';

/** A second window on the same folder and dev branch reads and says so; what it saves is not sent by it. */
export async function readInSecondWindow(stage: Stage): Promise<void> {
  const { workbench, host, folder } = stage;
  await workbench.rowAction(workbench.row('Branches', 'main'), 'Start Dev Mode…');
  await workbench.status(/dev-\S+ · ✓/).waitFor();
  const branch = await devBranch(stage);
  const page = await host.open({ folder, context: workbench.page.context() });
  const second = new Workbench(host, page, 'branches/second');
  await second.ready();
  await second.openContainer('Modelbench');
  const only = second.view('Changes').getByText('Another window sends this folder’s files; this one only looks.');
  await only.waitFor();
  await second.openFile('customers.yml');
  await second.replaceLine(4, 'title: Buyers');
  await second.save();
  await second.status(/↑1/).waitFor();
  await second.picture('reads');
  expect(await remoteFile(stage, branch, customers)).not.toContain('title: Buyers');
  await page.close();
}
