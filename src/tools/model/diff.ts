import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { compareTexts, fileDifferenceText } from '#features/folders/branch-compare.ts';
import {
  affectsText,
  type BrokenReference,
  changeLine,
  goneNames,
  isLoss,
  type ModelChange,
  otherResults,
  queryLine,
} from '#features/lineage/model-changes.ts';
import { impactBetween } from '#features/lineage/model-impact.ts';
import { branchModel } from '#tools/platform/branch-model.ts';
import { branchesOf, chosenBranch, deploymentInput, openDeployment } from '#tools/platform/deployment.ts';
import { dependenciesOf, reachableFrom, reversed } from '#model/dependencies.ts';
import { nameOf, namesOf } from './definitions.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { type OpenedModel, openSnapshot } from './opened-model.ts';
import type { ToolPorts } from '#tools/ports.ts';
import { defineTool, type ToolContext, ToolError } from '#tools/tool.ts';
import { userLines, usersOf, usersSchema, workspaceInput } from '#tools/platform/workspace-users.ts';

const output = v.object({
  passed: v.pipe(v.boolean(), v.description('Whether nothing was found that fails the comparison.')),
  base: v.pipe(v.string(), v.description('The revision or branch that the model was compared with.')),
  of: v.optional(v.pipe(v.string(), v.description('The branch that was compared, where it was not the folder.'))),
  files: v.array(v.object({ path: v.string(), change: v.picklist(['added', 'changed', 'removed']) })),
  changes: v.pipe(
    v.array(
      v.object({
        kind: v.picklist(['added', 'removed', 'retyped', 'renamed', 'redefined']),
        what: v.picklist(['cube', 'view', 'member']),
        name: v.string(),
        to: v.optional(v.pipe(v.string(), v.description('The new name or the new type.'))),
        keys: v.optional(
          v.pipe(
            v.array(v.string()),
            v.description('Of “redefined”: the keys that change what queries return or who sees it.'),
          ),
        ),
        presentation: v.optional(
          v.pipe(v.array(v.string()), v.description('Of “redefined”: the keys that only change how it is shown.')),
        ),
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
  queries: v.pipe(
    v.array(v.object({ path: v.string(), tests: v.number(), names: v.array(v.string()) })),
    v.description('Query files that use a name which is lost, retyped or redefined, or one that depends on it.'),
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
    'Compares the data model with a Git revision, or with a branch of the platform, by what it means: which cubes, views and members that queries can use were added, removed, renamed, redefined or changed their type, what depended on them, which query files use them, and which references of the model are broken now. With “workspace” also the reports, workbooks and dashboards that use a name which is gone or redefined. Use it before committing or merging.',
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
    const found = impactBetween(old.index, now.index, now.queries);
    const { changes, broken, queries, incomplete } = found;
    const usedBy = reversed(dependenciesOf(old.index));
    const there = new Set([...namesOf(now)].map(nameOf));
    const affected = (change: ModelChange): string[] => {
      const { kind, name } = change;
      if (kind === 'added') return [];
      if (kind === 'redefined') return [...change.affects];
      return [...reachableFrom(name, usedBy)].filter((other) => other !== name && there.has(other));
    };
    return {
      passed: broken.length === 0 && !(strict && changes.some(isLoss)),
      base,
      ...(named.of === undefined ? {} : { of: named.of }),
      files: [...compareTexts(before, after)],
      changes: changes.map((change) => ({
        ...{ kind: change.kind, what: change.what, name: change.name },
        ...('to' in change ? { to: change.to } : {}),
        ...(change.kind === 'redefined' ? { keys: [...change.keys], presentation: [...change.presentation] } : {}),
        summary: changeLine(change),
        affects: affected(change),
      })),
      broken: broken.map(({ names, key, owner, path }: BrokenReference) => ({ names, key, in: owner, path })),
      queries: queries.map(({ path, tests, names }) => ({ path, tests, names: [...names] })),
      incomplete,
      ...(workspace
        ? { usedBy: await usersOf(ports, [...goneNames(found), ...otherResults(found)], deployment, context) }
        : {}),
    };
  },
  toText: (found) =>
    [
      `${found.of === undefined ? 'Compared' : `${oneLine(found.of)} compared`} with ${oneLine(found.base)}: ${fileDifferenceText(found.files)}.`,
      ...found.broken.map(
        ({ path, names, key, in: owner }) =>
          `${pathLine(path)}: error: ${oneLine(`${names} in ${key} of ${owner}`)} does not exist any more`,
      ),
      ...found.changes.map(({ summary, affects }) => oneLine(`${summary}${affectsText(affects)}`)),
      ...found.queries.map((use) => oneLine(queryLine(use))),
      ...userLines(found.usedBy),
      ...(found.changes.length + found.broken.length === 0 ? ['Nothing changes for queries.'] : []),
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

/** Resolves to both models; throws `ToolError` if the input does not identify them in exactly one way. */
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

/** Formats the comparison as a comment on a pull request. */
function toMarkdown({ base, files, changes, broken, queries, incomplete, usedBy = [] }: Difference): string {
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', `**${title}**`, '', ...lines.map((line) => `- ${line}`)];
  const isShown = ({ keys }: Difference['changes'][number]): boolean => keys?.length === 0;
  const redefined = changes.filter(({ kind }) => kind === 'redefined');
  const lost = changes.filter(({ kind }) => kind !== 'added' && kind !== 'redefined');
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
    ...section('Can change results', redefined.filter((change) => !isShown(change)).map(line)),
    ...section(
      'Query files that use it',
      queries.map((use) => code(queryLine(use))),
    ),
    ...section(
      'Used in the workspace',
      usedBy.map(({ type, name, names }) => `${type} ${code(name)} uses ${names.map(code).join(', ')}`),
    ),
    ...section('New', changes.filter(({ kind }) => kind === 'added').map(line)),
    ...section('Shown differently', redefined.filter(isShown).map(line)),
    ...(isQuiet ? ['', 'Nothing changes for queries.'] : []),
    ...(incomplete ? ['', 'The model computes names when it runs, so there may be more.'] : []),
  ].join('\n');
}

/** Formats a text of the model literally, so that it cannot contain markup, a link or a mention. */
function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}
