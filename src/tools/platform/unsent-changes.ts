import { direction } from '#sync/core/planning/plan.ts';
import type { OpenedDeployment } from './deployment.ts';
import type { ToolPorts } from '#tools/ports.ts';
import type { ToolContext } from '#tools/tool.ts';

/**
 * Resolves to the number of changes of the folder that are not on a dev branch, including conflicts; `undefined` if the folder is
 * not linked to the deployment or the branch is not one that folders are pushed to.
 */
export async function unsentChanges(
  ports: Pick<ToolPorts, 'sync'>,
  opened: OpenedDeployment,
  branch: string,
  { signal }: ToolContext,
): Promise<number | undefined> {
  if (opened.linkedDeployment !== opened.deployment.id || !branch.startsWith('dev-')) return undefined;
  const { sync, close } = await ports.sync({ access: opened, deployment: opened.deployment.id, branch });
  try {
    const { entries } = await sync.plan({ signal });
    return entries.filter((entry) => direction(entry) === 'push' || entry.kind === 'conflict').length;
  } finally {
    await close();
  }
}
