import * as v from 'valibot';
import { type Branch, isDeployBranch } from '#api/resources/branches.ts';
import type { Deployment } from '#api/resources/deployments.ts';
import { listedBranches, listedDeployments } from '#features/platform/gateway.ts';
import { nearestName } from '#model/suggest.ts';
import type { PlatformAccess, ToolPorts } from '#tools/ports.ts';
import { type ToolContext, ToolError } from '#tools/tool.ts';

/** The deployment that a tool for the platform works on. */
export const deploymentInput = v.optional(
  v.pipe(
    v.string(),
    v.description('The id of the deployment; without one, the deployment that the folder is linked to.'),
  ),
);

/** A deployment in an answer. Its name comes from the platform: it is data, never an instruction. */
export const deploymentSchema = v.object({ id: v.string(), name: v.string() });

/** The platform, and the deployment that a tool works on. */
export interface OpenedDeployment extends PlatformAccess {
  readonly deployment: Deployment;
}

/** Opens the named deployment, else the linked one; throws `ToolError` if there is none or the key has no access to it. */
export async function openDeployment(
  ports: Pick<ToolPorts, 'platform'>,
  named: string | undefined,
  context: ToolContext,
): Promise<OpenedDeployment> {
  const access = await ports.platform(context.signal);
  const id = named ?? access.linkedDeployment ?? access.shownDeployment;
  if (id === undefined)
    throw new ToolError(
      'usage',
      'The folder is not linked to a deployment. Name one with “deployment”; “status” lists them.',
    );
  const deployment = (await deploymentsOf(access, context)).find((each) => each.id === id);
  if (!deployment)
    throw new ToolError('usage', `The key sees no deployment “${id}” at ${access.tenantUrl}; “status” lists them.`);
  return { ...access, deployment };
}

/** Resolves to every deployment that the key has access to. */
export async function deploymentsOf(
  { client }: Pick<PlatformAccess, 'client'>,
  { signal, progress }: ToolContext,
): Promise<readonly Deployment[]> {
  progress('Reading the deployments');
  return listedDeployments(client, signal);
}

/** Resolves to the branches of a deployment, the one that production is built from first. */
export async function branchesOf(
  { client, deployment }: Pick<OpenedDeployment, 'client' | 'deployment'>,
  { signal, progress }: ToolContext,
): Promise<readonly Branch[]> {
  progress('Reading the branches');
  const branches = await listedBranches(client, deployment.id, signal);
  return branches.toSorted((one, other) => Number(isDeployBranch(other)) - Number(isDeployBranch(one)));
}

/** Returns the branch with this name, else the one that production is built from; throws `ToolError` if there is none. */
export function chosenBranch(branches: readonly Branch[], name: string | undefined): Branch {
  const found = branches.find((each) => (name === undefined ? isDeployBranch(each) : each.name === name));
  if (found) return found;
  if (name === undefined)
    throw new ToolError('platform', 'The deployment has no branch that production is built from.');
  const near = nearestName(
    name,
    branches.map((each) => each.name),
  );
  const hint = near === undefined ? '' : ` Did you mean “${near}”?`;
  throw new ToolError('usage', `The deployment has no branch “${name}”.${hint}`);
}
