import type { Workbench } from './workbench.ts';

/**
 * Starts dev mode from a branch's row. The one of production asks first. So does any other that was redrawn while it was
 * clicked, because VS Code then no longer tells which one it was.
 */
export async function startDevModeOn(workbench: Workbench, branch: string): Promise<void> {
  const asked = workbench.option(branch);
  const started = workbench.row('Branches', /^dev-/);
  const outcome = branch === 'main' ? asked : asked.or(started);
  await workbench.rowAction(workbench.row('Branches', branch), 'Start Dev Mode…', outcome.first());
  if (await asked.isVisible()) await workbench.pick(branch);
}
