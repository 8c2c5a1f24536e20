import type { Workbench } from './workbench.ts';

/**
 * Starts dev mode from a branch's row. The one of production asks first. So does any other that was redrawn while it was
 * clicked, because VS Code then no longer tells which one it was.
 */
export async function startDevModeOn(workbench: Workbench, branch: string): Promise<void> {
  await workbench.rowAction(workbench.row('Branches', branch), 'Start Dev Mode…');
  const asked = workbench.option(branch);
  if (branch === 'main') await asked.waitFor();
  await asked.or(workbench.row('Branches', /^dev-/)).first().waitFor();
  if (await asked.isVisible()) await asked.click();
}
