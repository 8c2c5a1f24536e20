import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { validateBranch } from '#features/platform/validate-branch.ts';
import { branchesOf, chosenBranch, deploymentInput, deploymentSchema, openDeployment } from './deployment.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { pathOnPlatform } from './shown-path.ts';
import { unsentChanges } from './unsent-changes.ts';
import { defineTool } from '#tools/tool.ts';
import { limitInput } from '#tools/limit-input.ts';

/** Has the platform compile the model of a branch without building it (docs/tools.md#validate). */
export const validate = defineTool({
  name: 'validate',
  title: 'Validate on the Platform',
  description:
    'Has the platform compile the data model of a branch, without building it, and lists its errors. It compiles what the branch has on the platform, and says how many changes of the linked folder are not there yet: push first, or use “check”.',
  risk: 'read',
  reach: 'platform',
  positional: ['branch'],
  examples: [
    { command: 'modelbench validate dev-ada-1', does: 'Validates a dev branch; exit code 1 where it has errors.' },
    { command: 'modelbench validate', does: 'Validates the branch that production is built from.' },
  ],
  input: v.object({
    branch: v.optional(v.pipe(v.string(), v.description('The branch; without one, what production is built from.'))),
    deployment: deploymentInput,
    limit: limitInput('The most errors that are listed.', 100),
  }),
  output: v.object({
    deployment: deploymentSchema,
    branch: v.string(),
    valid: v.boolean(),
    cubes: v.optional(v.number()),
    errors: v.array(v.object({ path: v.optional(v.string()), message: v.string() })),
    omitted: v.pipe(v.number(), v.description('Errors beyond the limit, which are not listed.')),
    notPushed: v.optional(
      v.pipe(
        v.number(),
        v.description('Changes of the linked folder that are not on the dev branch, so not compiled.'),
      ),
    ),
  }),
  run: async (ports, { branch: named, deployment, limit }, context) => {
    const opened = await openDeployment(ports, deployment, context);
    const { id, name } = opened.deployment;
    const branch = chosenBranch(await branchesOf(opened, context), named).name;
    const waiting = await unsentChanges(ports, opened, branch, context);
    context.progress('The platform compiles the model');
    const target = { deploymentId: id, branchName: branch };
    const { valid, cubesCount, errors } = await validateBranch(opened.client, target, context.signal);
    return {
      deployment: { id, name },
      branch,
      valid,
      ...(cubesCount === undefined ? {} : { cubes: cubesCount }),
      errors: errors.slice(0, limit).map(({ fileName, message }) => ({
        ...(fileName === undefined ? {} : { path: pathOnPlatform(opened, fileName) }),
        message,
      })),
      omitted: Math.max(0, errors.length - limit),
      ...(waiting === undefined ? {} : { notPushed: waiting }),
    };
  },
  toText: ({ branch, valid, cubes, errors, omitted, notPushed = 0 }) => {
    const lines = errors.map(
      ({ path, message }) => `${path === undefined ? '' : `${pathLine(path)}: `}${oneLine(message)}`,
    );
    const more = omitted === 0 ? '' : ` ${plural(omitted, 'more error')} not listed.`;
    const counted = cubes === undefined ? '' : `: ${plural(cubes, 'cube')}`;
    const unsent =
      notPushed === 0
        ? []
        : [`${plural(notPushed, 'change of the folder is', 'changes of the folder are')} not on it.`];
    const named = `The data model of “${oneLine(branch)}”`;
    return [...lines, valid ? `${named} is valid${counted}.` : `${named} has errors.${more}`, ...unsent].join('\n');
  },
  hasFindings: ({ valid }) => !valid,
});
