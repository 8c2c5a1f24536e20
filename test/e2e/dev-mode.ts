import type { Workbench } from './workbench.ts';

/**
 * Starts dev mode from a branch's row. Where the row was drawn anew while it was clicked, VS Code no longer tells which one
 * it was: the question that comes instead is answered.
 */
export async function startDevModeOn(workbench: Workbench, branch: string): Promise<void> {
  await workbench.rowAction(workbench.row('Branches', branch), 'Start Dev Mode…');
  const asked = workbench.option(branch);
  await asked.or(workbench.row('Branches', /^dev-/)).first().waitFor();
  if (await asked.isVisible()) await asked.click();
}
