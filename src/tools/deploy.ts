import * as v from 'valibot';
import { ConfirmedDeploy } from '#features/history/confirmed-deploy.ts';
import { deployPlan, deployRefusal } from '#features/history/deploy.ts';
import { readBranchWrite } from '#features/platform/gated-branch.ts';
import type { GatedSituation } from '#features/platform/production-gate.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { deployBranch } from '#sync/core/target.ts';
import { branchesOf, chosenBranch, deploymentInput, type OpenedDeployment, openDeployment } from './deployment.ts';
import { dataOf, isProtectedIn, stepEntries, type StepResult, stepText, throughToolGate } from './gate.ts';
import { pathLine } from './one-line.ts';
import { pathInFolder } from './shown-path.ts';
import { planEntries, requireShown, shownPlan } from './shown-plan.ts';
import { defineTool, type ToolContext, ToolError } from './tool.ts';
import { yesInput } from './transfer.ts';

/** Uploads the folder to a deployment that is built from uploads (docs/tools.md#deploy). */
export const deploy = defineTool({
  name: 'deploy',
  title: 'Deploy Folder',
  description:
    'Deploys the linked folder to production, for a deployment that is built from uploads. Without “yes” it only shows the plan, deletions included. The user must confirm it by name outside of this call.',
  risk: 'production',
  reach: 'platform',
  positional: [],
  examples: [
    { command: 'modelbench deploy', does: 'Shows what would be uploaded and deleted.' },
    {
      command: 'modelbench deploy --plan 1f0c2a9be433 --yes --yes-production Shop',
      does: 'Uploads exactly what was shown, to production of the deployment Shop.',
    },
  ],
  input: v.object({
    deployment: deploymentInput,
    message: v.optional(v.pipe(v.string(), v.description('The message of the commit that the upload makes.'))),
    plan: v.optional(
      v.pipe(
        v.string(),
        v.description('The id of the plan that was reviewed; any other is refused, and its warnings count as seen.'),
      ),
    ),
    yes: yesInput,
  }),
  output: v.object({
    ...stepEntries,
    plan: planEntries.plan,
    changes: planEntries.changes,
  }),
  run: async (ports, { deployment: named, message, plan: reviewed, yes }, context) => {
    const opened = await openDeployment(ports, named, context);
    const data = dataOf(opened.client, opened.tenantUrl);
    const deployed = chosenBranch(await branchesOf(opened, context), undefined);
    const refusal = deployRefusal(opened.deployment);
    const checked = deployBranch(deployed, opened.deployment.deployMode);
    if (refusal !== undefined || !checked.ok)
      throw new ToolError('usage', refusal ?? 'There is no branch to upload to.');
    const access = new ConfirmedDeploy(checked.value);
    const { id } = opened.deployment;
    const target = { accountId: opened.tenantUrl, deploymentId: id, branchName: deployed.name };
    const { sync, close } = await ports.sync({ access: opened, deployment: id, branch: deployed.name, deploy: access });
    try {
      context.progress(`Comparing the folder with ${deployed.name}`);
      let now = deployPlan(await sync.plan({ signal: context.signal }));
      const shown = await shownPlan({ ...opened, branch: deployed.name }, now.plan);
      await requireShown(now.plan, reviewed);
      const read = async (): Promise<GatedSituation> => {
        now = deployPlan(await sync.plan({ signal: context.signal }));
        return readBranchWrite(
          { data, isProtected: isProtectedIn(ports) },
          { step: 'deploy', target, from: 'folder', to: deployed.name, isDeploy: true, content: contentOf(now) },
        );
      };
      const warnings = [...shown.warnings, ...notesOf(now, opened)];
      const step = await throughToolGate({ opened, target, read, yes, warnings }, context, async (pass) =>
        access.during(pass, target, async () =>
          upload(sync, now, { message, isReviewed: reviewed !== undefined }, context),
        ),
      );
      return { ...step, plan: shown.plan, changes: shown.changes };
    } finally {
      await close();
      data.dispose();
    }
  },
  toText: ({ changes, plan, ...step }) => {
    const lines = step.status === 'planned' ? changes.map(({ change, path }) => `${change} ${pathLine(path)}`) : [];
    return [...lines, stepText({ ...step, plan })].join('\n');
  },
  hasFindings: ({ status }) => status === 'conflict',
});

type DeployPlan = ReturnType<typeof deployPlan>;

/** Returns the changes to be uploaded as one text; empty if there are none. */
function contentOf({ plan, ticked }: DeployPlan): string {
  const sent = plan.entries.filter(({ path }) => ticked.has(path));
  return sent.length === 0 ? '' : JSON.stringify(sent);
}

/** Returns a warning for each file that is left as it is. */
function notesOf({ notes }: DeployPlan, opened: OpenedDeployment): readonly string[] {
  return [...notes].map(
    ([path, note]) =>
      `“${pathInFolder(opened, path)}” is left as it is: ${note.startsWith('would') ? `deploying it ${note}` : `it is ${note}`}.`,
  );
}

async function upload(
  sync: FolderSync,
  { plan, ticked }: DeployPlan,
  { message, isReviewed }: { readonly message: string | undefined; readonly isReviewed: boolean },
  { signal }: ToolContext,
): Promise<StepResult> {
  const confirmed = isReviewed ? plan.guards.map(({ kind }) => kind) : [];
  const outcome = await sync.push(plan, ticked, { signal, confirmed, message });
  return { status: outcome.status === 'done' ? 'done' : 'conflict', message: outcome.message };
}
