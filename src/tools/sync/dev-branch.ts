import * as v from 'valibot';
import { isDevBranch, mayBeDeployBranch } from '#api/resources/branches.ts';
import { isPlatformError } from '#api/errors.ts';
import { fetchKeyBranch } from '#features/platform/gateway.ts';
import { builtFrom } from '#sync/core/remote/still-dev.ts';
import { devBranch } from '#sync/core/target.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { branchesOf, chosenBranch, deploymentInput, openDeployment } from '#tools/platform/deployment.ts';
import type { OpenedDeployment } from '#tools/platform/deployment.ts';
import type { OpenedSync, ToolPorts } from '#tools/ports.ts';
import { type ToolContext, ToolError } from '#tools/tool.ts';

/** The dev branch that a tool works on. */
const devBranchInput = v.optional(
  v.pipe(v.string(), v.description('The dev branch; without one, the branch that the key is in dev mode on.')),
);

/** The input of every tool that compares the folder with a dev branch. */
export const syncInput = { branch: devBranchInput, deployment: deploymentInput };

interface Named {
  readonly branch?: string | undefined;
  readonly deployment?: string | undefined;
}

/** A dev branch of the named deployment. */
export interface OpenedBranch extends OpenedDeployment {
  readonly branch: string;
}

/** Opens a dev branch; throws `ToolError` if there is none with this name, or if the key is not in dev mode on any branch. */
export async function openDevBranch(
  ports: Pick<ToolPorts, 'platform'>,
  { branch, deployment }: Named,
  context: ToolContext,
): Promise<OpenedBranch> {
  const opened = await openDeployment(ports, deployment, context);
  const name = branch ?? (await activeBranch(opened, context.signal));
  const branches = await branchesOf(opened, context);
  const checked = devBranch(chosenBranch(branches, name).name);
  if (!checked.ok) throw new ToolError('usage', checked.error);
  if (mayBeDeployBranch(branches, checked.value)) throw new ToolError('usage', builtFrom(checked.value));
  return { ...opened, branch: checked.value };
}

/** Opens the sync of the folder with a dev branch while `work` runs, and compares both. */
export async function withPlan<T>(
  ports: Pick<ToolPorts, 'platform' | 'sync'>,
  named: Named,
  context: ToolContext,
  work: (opened: OpenedBranch & Pick<OpenedSync, 'sync'> & { readonly plan: Plan }) => Promise<T>,
): Promise<T> {
  const { signal, progress } = context;
  const opened = await openDevBranch(ports, named, context);
  const { sync, close, requireLink } = await ports.sync({
    access: opened,
    deployment: opened.deployment.id,
    branch: opened.branch,
  });
  try {
    progress(`Comparing the folder with ${opened.branch}`);
    const plan = await sync.plan({ signal });
    requireLink?.();
    return await work({ ...opened, sync, plan });
  } finally {
    await close();
  }
}

const unknownBranch =
  'The platform does not report which branch the key is in dev mode on. Name the dev branch with “branch”; “branches” lists them.';

/** Resolves to the branch that the key is in dev mode on, as the platform reports it. */
async function activeBranch({ client, deployment }: OpenedDeployment, signal: AbortSignal): Promise<string> {
  const name = await fetchKeyBranch(client, deployment.id, signal).catch((error: unknown) => {
    // Only some servers answer a request without a branch.
    if (isPlatformError(error, 'invalidRequest')) throw new ToolError('usage', unknownBranch);
    throw error;
  });
  if (isDevBranch(name)) return name;
  throw new ToolError(
    'usage',
    'The key is not in dev mode on any branch. Name the dev branch with “branch”; “branches” lists them.',
  );
}
