import * as v from 'valibot';
import { mergeBranch, mergeToDefault } from '#features/history/git-workflow.ts';
import { branchesOf, chosenBranch, deploymentInput, openDeployment } from '#tools/platform/deployment.ts';
import { stepEntries, stepText } from './gate.ts';
import { gitStep } from './git-step.ts';
import { stepPlanInput } from './step-plan.ts';
import { defineTool } from '#tools/tool.ts';
import { yesInput } from '#tools/sync/transfer.ts';

/** Merges a branch into its parent or into the branch that production is built from (docs/tools.md#merge). */
export const merge = defineTool({
  name: 'merge',
  title: 'Merge Branch',
  description:
    'Merges a branch into its parent, or with “toDefault” into the branch that production is built from. Without “yes” it only shows what it would do. What reaches production must be confirmed by the user, by name and outside of this call.',
  risk: 'production',
  reach: 'platform',
  positional: ['branch'],
  examples: [
    { command: 'modelbench merge returns', does: 'Shows what the merge would change.' },
    {
      command: 'modelbench merge returns --to-default --yes --yes-production Shop',
      does: 'Merges into the branch that production of the deployment Shop is built from.',
    },
  ],
  input: v.object({
    branch: v.pipe(v.string(), v.description('The branch that is merged.')),
    deployment: deploymentInput,
    toDefault: v.optional(
      v.pipe(v.boolean(), v.description('Merges into the branch that production is built from, not into the parent.')),
      false,
    ),
    message: v.optional(v.pipe(v.string(), v.description('The message of a merge with “toDefault”.'))),
    removeBranch: v.optional(v.pipe(v.boolean(), v.description('Removes the branch after the merge.')), false),
    plan: stepPlanInput,
    yes: yesInput,
  }),
  output: v.object(stepEntries),
  run: async (ports, { branch: named, deployment, toDefault, message, removeBranch, plan, yes }, context) => {
    const opened = await openDeployment(ports, deployment, context);
    const branch = chosenBranch(await branchesOf(opened, context), named).name;
    const step = toDefault ? ('mergeToDefault' as const) : ('merge' as const);
    return gitStep(
      { ports, opened, branch, step, yes, plan, endsBranch: removeBranch },
      context,
      async (data, target, pass) =>
        toDefault
          ? mergeToDefault(data, target, { message, removeBranchAfterMerge: removeBranch }, pass)
          : mergeBranch(
              data,
              target,
              { squashCommits: false, switchToParentBranch: false, deleteBranch: removeBranch },
              pass,
            ),
    );
  },
  toText: stepText,
  hasFindings: ({ status }) => status === 'conflict',
});
