import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { definitionOf, definitionSchema, nameOf, type Named, named, namesOf } from './definitions.ts';
import { dependenciesOf, reachableFrom, reversed } from '#model/dependencies.ts';
import { deploymentInput } from '#tools/platform/deployment.ts';
import { openModel } from './opened-model.ts';
import { definitionLine } from './search.ts';
import { defineTool } from '#tools/tool.ts';
import { userLines, usersOf, usersSchema, workspaceInput } from '#tools/platform/workspace-users.ts';
import { limitInput } from '#tools/limit-input.ts';

/** Lists everything in the model that depends on one name (docs/tools.md#impact). */
export const impact = defineTool({
  name: 'impact',
  title: 'Show Impact',
  description:
    'Lists everything in the data model that depends on a cube, view or member, directly or by others: what breaks or changes when it is renamed, removed or changed. With “workspace” also the reports, workbooks and dashboards that use any of it. Use it before such a change.',
  risk: 'read',
  reach: 'folder',
  positional: ['name'],
  examples: [
    { command: 'modelbench impact orders.total', does: 'Lists what a change of the measure reaches.' },
    { command: 'modelbench impact orders.total --workspace', does: 'The same, down to reports and dashboards.' },
  ],
  input: v.object({
    name: v.pipe(v.string(), v.description('A cube, view or member as queries write it: `orders` or `orders.count`.')),
    limit: limitInput('The most names that are listed.', 200),
    workspace: workspaceInput,
    deployment: deploymentInput,
  }),
  output: v.object({
    dependents: v.array(
      v.object({
        ...definitionSchema.entries,
        direct: v.pipe(
          v.boolean(),
          v.description('Whether its definition names it, and not only something that does.'),
        ),
      }),
    ),
    omitted: v.pipe(v.number(), v.description('Dependents beyond the limit, which are not listed.')),
    incomplete: v.pipe(
      v.boolean(),
      v.description('Some names are computed when the model runs, so there may be more than is listed.'),
    ),
    usedBy: v.optional(usersSchema),
  }),
  run: async (ports, { name, limit, workspace, deployment }, context) => {
    const opened = await openModel(ports, context);
    const start = nameOf(named(opened, name));
    const usedBy = reversed(dependenciesOf(opened.index));
    // A cube is used if one of its members is.
    const own = [...namesOf(opened)].map(nameOf).filter((each) => each === start || each.startsWith(`${start}.`));
    const direct = new Set(own.flatMap((each) => [...(usedBy.get(each) ?? [])]));
    const reached = new Set(own.flatMap((each) => [...reachableFrom(each, usedBy)]));
    const byName = new Map<string, Named>([...namesOf(opened)].map((found) => [nameOf(found), found]));
    const dependents = [...reached].flatMap((each) => {
      const found = own.includes(each) ? undefined : byName.get(each);
      const definition = found && definitionOf(opened, found);
      return definition ? [{ ...definition, direct: direct.has(each) }] : [];
    });
    dependents.sort((one, other) => Number(other.direct) - Number(one.direct));
    const listed = dependents.slice(0, limit);
    const found = { dependents: listed, omitted: dependents.length - listed.length, incomplete: opened.index.dynamic };
    if (!workspace) return found;
    const members = [...reached].filter((each) => each.includes('.') && !each.startsWith(`${start}.`));
    // Whatever names a member of a cube or view uses it. Of its dependents, only members are searched for: a view that contains
    // them also has others.
    const names = [...new Set([start.includes('.') ? start : `${start}.`, ...members])];
    return { ...found, usedBy: await usersOf(ports, names, deployment, context) };
  },
  toText: ({ dependents, omitted, incomplete, usedBy }) =>
    [
      ...dependents.map((each) => `${each.direct ? '' : '  '}${definitionLine(each)}`),
      dependents.length === 0
        ? 'Nothing in the model depends on it.'
        : `${plural(dependents.length + omitted, 'dependent')}, ${dependents.filter(({ direct }) => direct).length} of them direct.`,
      ...userLines(usedBy),
      ...(usedBy?.length === 0 ? ['No report, workbook or dashboard that the platform lists uses it.'] : []),
      ...(incomplete ? ['The model computes names when it runs, so there may be more.'] : []),
    ].join('\n'),
});
