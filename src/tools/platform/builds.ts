import * as v from 'valibot';
import { mapLimited } from '#base/async.ts';
import { plural } from '#base/words.ts';
import { buildLine, buildOf, buildSchema } from './branch-build.ts';
import { branchesOf, chosenBranch, deploymentInput, deploymentSchema, openDeployment } from './deployment.ts';
import { defineTool } from '#tools/tool.ts';

/** How many builds are requested at once. */
const AT_ONCE = 4;

/** Shows the state of the builds of branches (docs/tools.md#builds). */
export const builds = defineTool({
  name: 'builds',
  title: 'Show Builds',
  description: 'Shows the state of the build of one branch, or of every branch, with the errors of failed builds.',
  risk: 'read',
  reach: 'platform',
  positional: ['branch'],
  examples: [
    { command: 'modelbench builds main', does: 'Shows the build of the branch main; exit code 1 where it failed.' },
    { command: 'modelbench builds', does: 'Shows the builds of all branches.' },
  ],
  input: v.object({
    branch: v.optional(v.pipe(v.string(), v.description('The branch; without one, all branches.'))),
    deployment: deploymentInput,
  }),
  output: v.object({ deployment: deploymentSchema, builds: v.array(buildSchema) }),
  run: async (ports, { branch, deployment: named }, context) => {
    const opened = await openDeployment(ports, named, context);
    const { id, name } = opened.deployment;
    const all = await branchesOf(opened, context);
    const asked = branch === undefined ? all : [chosenBranch(all, branch)];
    context.progress(`Reading ${plural(asked.length, 'build')}`);
    const found = await mapLimited(asked, AT_ONCE, (each) => buildOf(opened, each.name, context.signal));
    return { deployment: { id, name }, builds: found };
  },
  toText: ({ builds: listed }) =>
    listed.length === 0 ? 'The deployment has no branches.' : listed.map((each) => buildLine(each)).join('\n'),
  hasFindings: ({ builds: listed }) => listed.some(({ phase }) => phase === 'failed'),
});
