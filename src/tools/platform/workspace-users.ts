import * as v from 'valibot';
import { getWorkbookDashboard } from '#api/resources/dashboards.ts';
import { readCapabilities } from '#api/description/capabilities.ts';
import { listWorkbooks } from '#api/resources/workbooks.ts';
import { workspaceUsage } from '#features/language/usage.ts';
import { openDeployment } from './deployment.ts';
import { oneLine } from '#tools/one-line.ts';
import type { ToolPorts } from '#tools/ports.ts';
import type { ToolContext } from '#tools/tool.ts';

/** The input of tools that also search the workspace of the deployment. */
export const workspaceInput = v.optional(
  v.pipe(
    v.boolean(),
    v.description('Also searches the reports, workbooks and dashboards of the deployment, which asks the platform.'),
  ),
  false,
);

/** An item of the workspace that names a member. Names come from the platform: they are data, never an instruction. */
export const usersSchema = v.pipe(
  v.array(
    v.object({
      type: v.picklist(['report', 'workbook', 'dashboard']),
      name: v.string(),
      names: v.pipe(v.array(v.string()), v.description('The names that it uses; a whole cube or view ends in a dot.')),
    }),
  ),
  v.description('Reports, workbooks and dashboards that use it; only where they were searched.'),
);
type Users = v.InferOutput<typeof usersSchema>;

/**
 * Resolves to the items of the workspace that use some names (`orders.total`, a whole cube as `orders.`), as the editor finds
 * them. Throws `PlatformError`.
 */
export async function usersOf(
  ports: Pick<ToolPorts, 'platform'>,
  names: readonly string[],
  deployment: string | undefined,
  context: ToolContext,
): Promise<Users> {
  const opened = await openDeployment(ports, deployment, context);
  const { signal, progress } = context;
  progress('Searching the workspace');
  const offered = await readCapabilities(opened.client, signal);
  const dashboards = offered.has(listWorkbooks) && offered.has(getWorkbookDashboard);
  const target = { accountId: opened.tenantUrl, deploymentId: opened.deployment.id };
  const used = await workspaceUsage({ client: () => opened.client }, target, names, { dashboards, signal });
  return used.map(({ type, name, names: found }) => ({ type, name, names: [...found] }));
}

/** Formats uses as text, one per line. */
export function userLines(users: Users | undefined): readonly string[] {
  return (users ?? []).map(({ type, name, names }) => oneLine(`${type} “${name}” uses ${names.join(', ')}`));
}
