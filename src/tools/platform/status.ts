import * as v from 'valibot';
import { isDevBranch } from '#api/resources/branches.ts';
import type { Deployment } from '#api/resources/deployments.ts';
import { buildLine, buildOf, buildSchema } from './branch-build.ts';
import {
  branchesOf,
  chosenBranch,
  deploymentInput,
  deploymentSchema,
  deploymentsOf,
  openDeployment,
} from './deployment.ts';
import { oneLine } from '#tools/one-line.ts';
import { defineTool } from '#tools/tool.ts';

/** Shows where the folder is linked to and the state of production (docs/tools.md#status). */
export const status = defineTool({
  name: 'status',
  title: 'Show Platform Status',
  description:
    'Shows the deployment that the folder is linked to: its version, the branch that production is built from, that build, and how many branches there are. Lists the deployments of the account where the folder is not linked and none is named.',
  risk: 'read',
  reach: 'platform',
  positional: [],
  examples: [
    { command: 'modelbench status', does: 'Shows the deployment that this folder is linked to.' },
    { command: 'modelbench status --deployment 12', does: 'Shows the deployment with the id 12.' },
  ],
  input: v.object({ deployment: deploymentInput }),
  output: v.object({
    tenant: v.string(),
    deployments: v.pipe(
      v.array(v.object({ ...deploymentSchema.entries, version: v.optional(v.string()) })),
      v.description('The deployment that was chosen, else all that the key sees.'),
    ),
    production: v.optional(buildSchema),
    branches: v.optional(v.object({ shared: v.number(), dev: v.number() })),
  }),
  run: async (ports, { deployment: named }, context) => {
    const access = await ports.platform(context.signal);
    if ((named ?? access.linkedDeployment ?? access.shownDeployment) === undefined) {
      const deployments = await deploymentsOf(access, context);
      return { tenant: access.tenantUrl, deployments: deployments.map((each) => summaryOf(each)) };
    }
    const opened = await openDeployment({ platform: () => Promise.resolve(access) }, named, context);
    const branches = await branchesOf(opened, context);
    context.progress('Reading the build');
    const production = await buildOf(opened, chosenBranch(branches, undefined).name, context.signal);
    const dev = branches.filter(({ name }) => isDevBranch(name)).length;
    return {
      tenant: opened.tenantUrl,
      deployments: [summaryOf(opened.deployment)],
      production,
      branches: { shared: branches.length - dev, dev },
    };
  },
  toText: ({ tenant, deployments, production, branches }) => {
    const lines = deployments.map(
      ({ id, name, version }) => `${id}  ${oneLine(name)}${version === undefined ? '' : `  ${oneLine(version)}`}`,
    );
    if (!production || !branches) return [`Deployments at ${tenant}:`, ...lines].join('\n');
    return [
      `${lines.join('')}  ${tenant}`,
      `Production: ${buildLine(production)}`,
      `Branches: ${branches.shared} shared, ${branches.dev} of users`,
    ].join('\n');
  },
});

function summaryOf({ id, name, releaseChannelVersion: version }: Deployment): {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
} {
  return { id, name, ...(version === undefined ? {} : { version }) };
}
