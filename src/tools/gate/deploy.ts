import * as v from 'valibot';
import { ConfirmedDeploy } from '#features/history/confirmed-deploy.ts';
import { deployPlan, deployRefusal, linkNote } from '#features/history/deploy.ts';
import { readBranchWrite } from '#features/platform/gated-branch.ts';
import type { GatedSituation } from '#features/platform/production-gate.ts';
import { isInside } from '#base/path.ts';
import { type FollowedLink, foreignLinkAbove } from '#sync/core/selection/followed-link.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { foreignFiles } from '#sync/core/planning/foreign-files.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { deployBranch } from '#sync/core/target.ts';
import {
  branchesOf,
  chosenBranch,
  deploymentInput,
  deploymentsOf,
  type OpenedDeployment,
  openDeployment,
} from '#tools/platform/deployment.ts';
import { dataOf, isProtectedIn, stepEntries, type StepResult, stepText, throughToolGate } from './gate.ts';
import { pathLine } from '#tools/one-line.ts';
import { pathFromFolder, pathInFolder } from '#tools/platform/shown-path.ts';
import { planEntries, requireShown, shownPlan } from '#tools/sync/shown-plan.ts';
import { defineTool, type ToolContext, ToolError } from '#tools/tool.ts';
import { yesInput } from '#tools/sync/transfer.ts';

/** Uploads the folder to a deployment that is built from uploads (docs/tools.md#deploy). */
export const deploy = defineTool({
  name: 'deploy',
  title: 'Deploy Folder',
  description:
    'Deploys the linked folder to production, for a deployment that is built from uploads. Without “yes” it only shows the plan, deletions included. The user must confirm it by name outside of this call.',
  risk: 'production',
  reach: 'platform',
  positional: [],
  mayIncludeLinks: true,
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
    const { sync, close, requireLink } = await ports.sync({
      ...{ access: opened, deployment: id, branch: deployed.name },
      deploy: access,
    });
    try {
      context.progress(`Comparing the folder with ${deployed.name}`);
      const included = includedLinks(context, opened);
      let now = deployPlan(await sync.plan({ signal: context.signal }), included);
      requireLinks(included, now.plan, foreignFiles(now.plan));
      const chosen = chosenLinks(now);
      const shown = await shownPlan({ ...opened, branch: deployed.name }, now.plan, chosen);
      await requireShown(now.plan, reviewed, chosen);
      const read = async (): Promise<GatedSituation> => {
        const [later] = await Promise.all([
          sync.plan({ signal: context.signal }),
          requireSameDestination(opened, deployed.name, context),
        ]);
        requireLink?.();
        now = deployPlan(later, included);
        // What was reviewed is compared with exactly what is sent: the folder and production may have changed since the answer began.
        await requireShown(now.plan, reviewed, chosenLinks(now));
        return readBranchWrite(
          { data, isProtected: isProtectedIn(ports) },
          { step: 'deploy', target, from: 'folder', to: deployed.name, isDeploy: true, content: contentOf(now) },
        );
      };
      const warnings = [
        ...shown.warnings,
        ...notesOf(now, opened),
        ...chosen.map((each) => includedText(each, opened)),
      ];
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

/** Returns the files that the user includes although a link brings them in, with their links. */
function chosenLinks({ plan, ticked }: DeployPlan): readonly (readonly [string, FollowedLink])[] {
  return [...foreignFiles(plan)].filter(([path]) => ticked.has(path));
}

/**
 * Throws `ToolError` if the deployment is no longer built from uploads to this branch: a Git repository may have been connected, or
 * production is built from another branch.
 */
async function requireSameDestination(opened: OpenedDeployment, branch: string, context: ToolContext): Promise<void> {
  const [deployments, branches] = await Promise.all([deploymentsOf(opened, context), branchesOf(opened, context)]);
  const deployment = deployments.find(({ id }) => id === opened.deployment.id);
  if (!deployment)
    throw new ToolError('usage', 'The deployment is no longer on the platform, so nothing was deployed.');
  const refusal = deployRefusal(deployment);
  if (refusal !== undefined) throw new ToolError('usage', refusal);
  const { name } = chosenBranch(branches, undefined);
  if (name === branch) return;
  throw new ToolError('usage', `Production is now built from “${name}”, so nothing was deployed. Run “deploy” again.`);
}

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

/** Returns the links that the user includes, as paths inside the model. */
function includedLinks({ includedLinks: given = [] }: ToolContext, opened: OpenedDeployment): readonly string[] {
  return given.map((path) => pathFromFolder(opened, path.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, '')));
}

/** Throws `ToolError` for a path that no link brings into the project: nothing would be included. */
function requireLinks(included: readonly string[], { links }: Plan, foreign: ReadonlyMap<string, FollowedLink>): void {
  const isLinked = (each: string): boolean => foreignLinkAbove(each, links ?? new Map()) !== undefined;
  const wrong = included.find((each) => !isLinked(each) || ![...foreign.keys()].some((path) => isInside(path, each)));
  if (wrong === undefined) return;
  throw new ToolError(
    'usage',
    `“${wrong}” is not a link out of the project with something to upload. “modelbench deploy” lists those that there are.`,
  );
}

function includedText([path, link]: readonly [string, FollowedLink], opened: OpenedDeployment): string {
  return `“${pathInFolder(opened, path)}” is uploaded although it is ${linkNote(link)}: --include-link names it.`;
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
