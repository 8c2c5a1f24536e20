import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { compareTexts, fileDifferenceText } from '#features/folders/branch-compare.ts';
import { type BrokenReference, changeLine, goneNames, type ModelChange } from '#features/lineage/model-changes.ts';
import { impactBetween } from '#features/lineage/model-impact.ts';
import { branchModel } from './branch-model.ts';
import { branchesOf, chosenBranch, deploymentInput, openDeployment } from './deployment.ts';
import { dependenciesOf, reachableFrom, reversed } from './lineage.ts';
import { nameOf, namesOf } from './definitions.ts';
import { oneLine } from './one-line.ts';
import { type OpenedModel, openSnapshot } from './opened-model.ts';
import type { ToolPorts } from './ports.ts';
import { defineTool, type ToolContext, ToolError } from './tool.ts';
import { userLines, usersOf, usersSchema, workspaceInput } from './workspace-users.ts';

const output = v.object({
  passed: v.pipe(v.boolean(), v.description('Whether nothing was found that fails the comparison.')),
  base: v.pipe(v.string(), v.description('The revision or branch that the model was compared with.')),
  of: v.optional(v.pipe(v.string(), v.description('The branch that was compared, where it was not the folder.'))),
  files: v.array(v.object({ path: v.string(), change: v.picklist(['added', 'changed', 'removed']) })),
  changes: v.pipe(
    v.array(
      v.object({
        kind: v.picklist(['added', 'removed', 'retyped', 'renamed']),
        what: v.picklist(['cube', 'view', 'member']),
        name: v.string(),
        to: v.optional(v.pipe(v.string(), v.description('The new name or the new type.'))),
        summary: v.string(),
        affects: v.pipe(
          v.array(v.string()),
          v.description('Names that depended on it, directly or by others, and are still there.'),
        ),
      }),
    ),
    v.description('Names that queries, reports and dashboards can use, and what became of them.'),
  ),
  broken: v.pipe(
    v.array(v.object({ names: v.string(), key: v.string(), in: v.string(), path: v.string() })),
    v.description('References of the model to names that no longer exist.'),
  ),
  incomplete: v.pipe(
    v.boolean(),
    v.description('Some names are computed when the model runs, so there may be more than is listed.'),
  ),
  usedBy: v.optional(usersSchema),
});
type Difference = v.InferOutput<typeof output>;

/** Compares the meaning of the files for those who query the model with a Git revision or a branch (docs/tools.md#diff). */
export const diff = defineTool({
  name: 'diff',
  title: 'Compare Data Model',
  description:
    'Compares the data model with a Git revision, or with a branch of the platform, by what it means: which cubes, views and members that queries can use were added, removed, renamed or changed their type, what depended on them, and which references of the model are broken now. With “workspace” also the reports, workbooks and dashboards that use a name which is gone. Use it before committing or merging.',
  risk: 'read',
  reach: 'folder',
  positional: ['base'],
  examples: [
    { command: 'modelbench diff origin/main', does: 'Shows what a branch changes for those who query the model.' },
    { command: 'modelbench diff origin/main --strict', does: 'Fails where queries could break.' },
    { command: 'modelbench diff --branch main', does: 'Compares the folder with what the platform has of main.' },
    { command: 'modelbench diff --branch main --of dev-ada-1 --workspace', does: 'Shows what a merge would break.' },
    { command: 'modelbench diff main --format markdown', does: 'Writes the text of a comment on a pull request.' },
  ],
  input: v.object({
    base: v.optional(
      v.pipe(
        v.string(),
        v.description('The commit, branch or tag of Git that the files are compared with; without one: HEAD.'),
      ),
    ),
    branch: v.optional(
      v.pipe(v.string(), v.description('Compares with a branch of the platform, not with a revision of Git.')),
    ),
    of: v.optional(
      v.pipe(v.string(), v.description('A branch of the platform that is compared with “branch”, not the folder.')),
    ),
    workspace: workspaceInput,
    deployment: deploymentInput,
    strict: v.optional(
      v.pipe(
        v.boolean(),
        v.description('A name that is removed, renamed or changes its type fails the comparison, too.'),
      ),
      false,
    ),
  }),
  output,
  run: async (ports, { strict, workspace, deployment, ...named }, context) => {
    const { old, now, base } = await sidesOf(ports, { ...named, deployment }, context);
    const [before, after] = [old.texts, now.texts];
    const found = impactBetween(old.index, now.index);
    const { changes, broken, incomplete } = found;
    const usedBy = reversed(dependenciesOf(old.index));
    const there = new Set([...namesOf(now)].map(nameOf));
    const affected = ({ kind, name }: ModelChange): string[] =>
      kind === 'added' ? [] : [...reachableFrom(name, usedBy)].filter((other) => other !== name && there.has(other));
    const isLoss = changes.some(({ kind }) => kind !== 'added');
    return {
      passed: broken.length === 0 && !(strict && isLoss),
      base,
      ...(named.of === undefined ? {} : { of: named.of }),
      files: [...compareTexts(before, after)],
      changes: changes.map((change) => ({
        ...{ kind: change.kind, what: change.what, name: change.name },
        ...('to' in change ? { to: change.to } : {}),
        summary: changeLine(change),
        affects: affected(change),
      })),
      broken: broken.map(({ names, key, owner, path }: BrokenReference) => ({ names, key, in: owner, path })),
      incomplete,
      ...(workspace ? { usedBy: await usersOf(ports, goneNames(found), deployment, context) } : {}),
    };
  },
  toText: (found) =>
    [
      `${found.of === undefined ? 'Compared' : `${oneLine(found.of)} compared`} with ${oneLine(found.base)}: ${fileDifferenceText(found.files)}.`,
      ...found.broken.map(({ path, names, key, in: owner }) =>
        oneLine(`${path}: error: ${names} in ${key} of ${owner} does not exist any more`),
      ),
      ...found.changes.map(({ summary, affects }) => oneLine(`${summary}${affectsText(affects)}`)),
      ...userLines(found.usedBy),
      ...(found.changes.length + found.broken.length === 0 ? ['No name that queries can use changes.'] : []),
      ...(found.incomplete ? ['The model computes names when it runs, so there may be more.'] : []),
    ].join('\n'),
  formats: { markdown: toMarkdown },
  hasFindings: ({ passed }) => !passed,
});

interface Named {
  readonly base?: string | undefined;
  readonly branch?: string | undefined;
  readonly of?: string | undefined;
  readonly deployment?: string | undefined;
}

/** Returns both models; throws `ToolError` if the input does not identify them in exactly one way. */
async function sidesOf(
  ports: Pick<ToolPorts, 'model' | 'revision' | 'render' | 'platform'>,
  { base, branch, of, deployment }: Named,
  context: ToolContext,
): Promise<{ readonly old: OpenedModel; readonly now: OpenedModel; readonly base: string }> {
  const { signal, progress } = context;
  if (base !== undefined && branch !== undefined)
    throw new ToolError(
      'usage',
      'Compare either with a revision of Git or, with “branch”, with a branch of the platform.',
    );
  if (of !== undefined && branch === undefined)
    throw new ToolError('usage', '“of” is compared with a branch of the platform: name that with “branch”.');
  if (branch === undefined) {
    progress('Reading the model');
    const now = await openSnapshot(await ports.model(signal), context, ports);
    const revision = base ?? 'HEAD';
    progress(`Reading ${oneLine(revision, 60)}`);
    return { now, old: await openSnapshot(await ports.revision(revision, signal), context, ports), base: revision };
  }
  const opened = await openDeployment(ports, deployment, context);
  const branches = await branchesOf(opened, context);
  const read = async (name: string, root: string | undefined): Promise<OpenedModel> =>
    openSnapshot(await branchModel(opened, chosenBranch(branches, name).name, root, context), context, ports);
  if (of !== undefined) return { now: await read(of, undefined), old: await read(branch, undefined), base: branch };
  const now = await openSnapshot(await ports.model(signal), context, ports);
  return { now, old: await read(branch, now.root), base: branch };
}

/** The most names in a text; more are only counted. */
const MOST_NAMED = 5;

function affectsText(affects: readonly string[]): string {
  if (affects.length === 0) return '';
  const more = affects.length > MOST_NAMED ? ` and ${affects.length - MOST_NAMED} more` : '';
  return ` (affects ${affects.slice(0, MOST_NAMED).join(', ')}${more})`;
}

/** Formats the comparison as a comment on a pull request. */
function toMarkdown({ base, files, changes, broken, incomplete, usedBy = [] }: Difference): string {
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', `**${title}**`, '', ...lines.map((line) => `- ${line}`)];
  const lost = changes.filter(({ kind }) => kind !== 'added');
  const line = ({ summary, affects }: Difference['changes'][number]): string =>
    `${code(summary)}${affects.length === 0 ? '' : `, affects ${affects.slice(0, MOST_NAMED).map(code).join(', ')}${affects.length > MOST_NAMED ? ` and ${affects.length - MOST_NAMED} more` : ''}`}`;
  const isQuiet = changes.length + broken.length === 0;
  return [
    `### Data model compared with ${code(base)}`,
    '',
    `${plural(changes.length, 'name')} changed, ${plural(broken.length, 'reference')} broken; ${fileDifferenceText(files)}.`,
    ...section(
      'Breaks in the model',
      broken.map(
        ({ names, key, in: owner, path }) => `${code(names)} in ${code(key)} of ${code(owner)} (${code(path)})`,
      ),
    ),
    ...section('Can break queries', lost.map(line)),
    ...section(
      'Used in the workspace',
      usedBy.map(({ type, name, names }) => `${type} ${code(name)} uses ${names.map(code).join(', ')}`),
    ),
    ...section('New', changes.filter(({ kind }) => kind === 'added').map(line)),
    ...(isQuiet ? ['', 'No name that queries can use changes.'] : []),
    ...(incomplete ? ['', 'The model computes names when it runs, so there may be more.'] : []),
  ].join('\n');
}

/** Formats a text of the model literally, so that it cannot contain markup, a link or a mention. */
function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}
