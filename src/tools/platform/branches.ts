import * as v from 'valibot';
import { type Branch, isDeployBranch, isDevBranch, parentOf } from '#api/resources/branches.ts';
import { branchesOf, deploymentInput, deploymentSchema, openDeployment } from './deployment.ts';
import { oneLine } from '#tools/one-line.ts';
import { defineTool } from '#tools/tool.ts';

const branchSchema = v.object({
  name: v.string(),
  kind: v.pipe(
    v.picklist(['production', 'shared', 'dev']),
    v.description('`production` is what production is built from, `dev` is one user’s.'),
  ),
  parent: v.optional(v.string()),
  commit: v.optional(v.string()),
});
type BranchFacts = v.InferOutput<typeof branchSchema>;

/** Lists the branches of a deployment (docs/tools.md#branches). */
export const branches = defineTool({
  name: 'branches',
  title: 'List Branches',
  description:
    'Lists the branches of a deployment: which one production is built from, which are shared and which are dev branches of one user, with the parent and the last commit of each.',
  risk: 'read',
  reach: 'platform',
  positional: [],
  examples: [
    { command: 'modelbench branches', does: 'Lists the branches of the deployment that this folder is linked to.' },
    { command: 'modelbench branches --deployment 12 --format json', does: 'Lists those of another one, for scripts.' },
  ],
  input: v.object({ deployment: deploymentInput }),
  output: v.object({ deployment: deploymentSchema, branches: v.array(branchSchema) }),
  run: async (ports, { deployment: named }, context) => {
    const opened = await openDeployment(ports, named, context);
    const { id, name } = opened.deployment;
    const found = await branchesOf(opened, context);
    return { deployment: { id, name }, branches: found.map((each) => factsOf(each)) };
  },
  toText: ({ branches: listed }) => {
    if (listed.length === 0) return 'The deployment has no branches.';
    return listed
      .map(({ name, kind, parent, commit }) => {
        const from = parent === undefined ? '' : ` of ${oneLine(parent)}`;
        return `${oneLine(name)}  (${kind}${from})${commit === undefined ? '' : `  ${oneLine(commit, 12)}`}`;
      })
      .join('\n');
  },
});

function factsOf(branch: Branch): BranchFacts {
  const parent = parentOf(branch);
  return {
    name: branch.name,
    kind: isDeployBranch(branch) ? 'production' : isDevBranch(branch.name) ? 'dev' : 'shared',
    ...(parent === undefined ? {} : { parent }),
    ...(branch.lastHash === undefined ? {} : { commit: branch.lastHash }),
  };
}
