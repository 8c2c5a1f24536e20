import * as v from 'valibot';
import { commitBranch } from '#features/history/git-workflow.ts';
import { syncInput, openDevBranch } from '#tools/sync/dev-branch.ts';
import { stepEntries, stepText } from './gate.ts';
import { gitStep } from './git-step.ts';
import { stepPlanInput } from './step-plan.ts';
import { defineTool } from '#tools/tool.ts';
import { yesInput } from '#tools/sync/transfer.ts';

/** Commits a dev branch to its parent (docs/tools.md#commit). */
export const commit = defineTool({
  name: 'commit',
  title: 'Commit Dev Branch',
  description:
    'Commits what a dev branch has on the platform, and pushes it to its parent branch. Without “yes” it only shows what it would do. Where the parent is what production is built from, the user must confirm it by name outside of this call.',
  risk: 'production',
  reach: 'platform',
  positional: ['message'],
  examples: [
    { command: 'modelbench commit "Add refunds"', does: 'Shows what the commit would change, and where it would go.' },
    { command: 'modelbench commit "Add refunds" --yes', does: 'Commits to a shared branch.' },
    {
      command: 'modelbench commit "Add refunds" --yes --yes-production Shop',
      does: 'Commits where production of the deployment Shop is built from.',
    },
  ],
  input: v.object({
    message: v.pipe(v.string(), v.regex(/\S/, 'a text that is not empty'), v.description('The message of the commit.')),
    ...syncInput,
    plan: stepPlanInput,
    yes: yesInput,
  }),
  output: v.object(stepEntries),
  run: async (ports, { message, yes, plan, ...named }, context) => {
    const opened = await openDevBranch(ports, named, context);
    const step = { ports, opened, branch: opened.branch, step: 'commit', yes, plan } as const;
    return gitStep(step, context, async (data, target, pass) => commitBranch(data, target, message, pass));
  },
  toText: stepText,
  hasFindings: ({ status }) => status === 'conflict',
});
