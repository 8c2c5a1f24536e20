import * as v from 'valibot';
import { asError, isCancelled } from '#base/async.ts';
import { isInside } from '#base/path.ts';
import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { Resolution } from '#sync/core/folder-sync.ts';
import { conflictText } from '#sync/core/planning/plan-text.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { type OpenedBranch, syncInput, withPlan } from './dev-branch.ts';
import { type Conflict, isUnfinished, mergeConflict } from './merge-conflict.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import type { BegunMerge, BegunMerges, OpenedSync, ToolPorts } from '#tools/ports.ts';
import { pathFromFolder, pathInFolder } from '#tools/platform/shown-path.ts';
import { planEntries, requireShown, shownPlan, warningLines } from './shown-plan.ts';
import { defineTool, type ToolContext, ToolError } from '#tools/tool.ts';
import { yesInput } from './transfer.ts';

const input = v.object({
  path: v.optional(
    v.pipe(
      v.string(),
      v.description('The file in conflict, or a folder, as answers show it; without one, all conflicts.'),
    ),
  ),
  take: v.optional(
    v.pipe(
      v.picklist(['merge', 'mine', 'theirs']),
      v.description(
        'What a file becomes. `merge`: the changes of both sides, with conflict markers where they differ. `mine`: the file of the folder. `theirs`: that of the branch.',
      ),
    ),
    'merge',
  ),
  ...syncInput,
  plan: v.optional(
    v.pipe(
      v.string(),
      v.description('The id of the plan that was reviewed: where either side has changed, nothing is done.'),
    ),
  ),
  yes: yesInput,
});
type Input = v.InferOutput<typeof input>;

const conflictSchema = v.object({
  path: v.string(),
  reason: v.string(),
  result: v.pipe(
    v.picklist(['merged', 'markers', 'mine', 'theirs', 'left']),
    v.description(
      '`markers`: both versions stand in the file, and a user must choose. `left`: not changed, see `message`.',
    ),
  ),
  message: v.string(),
});
type ShownConflict = v.InferOutput<typeof conflictSchema>;

const output = v.object({
  deployment: planEntries.deployment,
  branch: planEntries.branch,
  plan: planEntries.plan,
  warnings: planEntries.warnings,
  status: v.pipe(
    v.picklist(['planned', 'done', 'partial', 'cancelled', 'refused']),
    v.description(
      '`planned`: nothing was done yet. `partial`: some conflicts are still open. `refused`: nothing was done.',
    ),
  ),
  conflicts: v.array(conflictSchema),
  message: v.string(),
});
type Answer = v.InferOutput<typeof output>;

/** Resolves conflicts of the folder with a dev branch (docs/tools.md#resolve). */
export const resolve = defineTool({
  name: 'resolve',
  title: 'Resolve Conflicts',
  description:
    'Resolves files that the folder and a dev branch both changed: merges them line by line, or takes one side. A merge that fits together goes to the branch. Where both changed the same lines, both versions are written into the file between conflict markers; edit it, then resolve it again. Without “yes” it only shows what it would do. Replaced versions go to a trash on this computer.',
  risk: 'devBranch',
  reach: 'platform',
  positional: ['path'],
  examples: [
    { command: 'modelbench resolve', does: 'Shows which conflicts can be merged.' },
    { command: 'modelbench resolve --yes', does: 'Merges them, with conflict markers where both sides differ.' },
    { command: 'modelbench resolve model/orders.yml --take theirs --yes', does: 'Takes the version of the branch.' },
  ],
  input,
  output,
  run: async (ports, given, context) =>
    withPlan(ports, given, context, async (opened) => run(ports, opened, given, context)),
  toText,
  hasFindings: ({ status }) => status !== 'planned' && status !== 'done',
});

type Opened = OpenedBranch & Pick<OpenedSync, 'sync'> & { readonly plan: Plan };

async function run(
  ports: Pick<ToolPorts, 'merges'>,
  opened: Opened,
  given: Input,
  context: ToolContext,
): Promise<Answer> {
  const { deployment, branch, plan, warnings } = await shownPlan(opened, opened.plan);
  await requireShown(opened.plan, given.plan);
  const chosen = conflictsAt(opened, given.path);
  const answer = { deployment, branch, plan, warnings };
  const merges = ports.merges({ access: opened, deployment: deployment.id, branch });
  if (!given.yes) {
    const conflicts: ShownConflict[] = [];
    for (const conflict of chosen) conflicts.push((await stepOf(opened, conflict, given.take, merges, context)).shown);
    return { ...answer, conflicts, status: 'planned', message: plannedText(conflicts) };
  }
  if (warnings.length > 0 && given.plan === undefined)
    return {
      ...answer,
      conflicts: [],
      status: 'refused',
      message: `${warnings.join(' ')} Review the plan, then name it with “plan”.`,
    };
  return { ...answer, ...(await carryOut(opened, chosen, given.take, merges, context)) };
}

/** How one conflict is resolved: the choice for the sync, absent if the file is left alone. */
interface Step {
  readonly shown: ShownConflict;
  readonly choice?: Resolution;
  /** What is remembered until the user has finished the merge. */
  readonly begun?: BegunMerge;
}

async function stepOf(
  opened: Opened,
  conflict: Conflict,
  take: Input['take'],
  merges: BegunMerges,
  { signal }: ToolContext,
): Promise<Step> {
  const { sync } = opened;
  const about = { path: pathInFolder(opened, conflict.path), reason: conflictText[conflict.reason] };
  const left = (message: string): Step => ({ shown: { ...about, result: 'left', message } });
  const begun = await merges.of(conflict.path);
  if (take === 'theirs') return { shown: { ...about, result: 'theirs', message: '' }, choice: 'theirs' };
  if (take === 'mine') {
    if (await isUnfinished(sync, conflict, begun)) return left('it still has conflict markers');
    return { shown: { ...about, result: 'mine', message: '' }, choice: 'mine' };
  }
  const merged = await mergeConflict(sync, conflict, begun, signal);
  switch (merged.kind) {
    case 'merged':
      return { shown: { ...about, result: 'merged', message: '' }, choice: { merged: merged.bytes } };
    case 'marked':
      return {
        shown: { ...about, result: 'markers', message: `${plural(merged.places, 'place')} to choose in` },
        choice: { marked: merged.bytes },
        begun: merged.begun,
      };
    case 'left':
      return left(merged.reason);
    default:
      return unreachable(merged);
  }
}

/** Resolves conflicts one after the other, until one fails or the user stops it. */
async function carryOut(
  opened: Opened,
  chosen: readonly Conflict[],
  take: Input['take'],
  merges: BegunMerges,
  context: ToolContext,
): Promise<Pick<Answer, 'status' | 'conflicts' | 'message'>> {
  const conflicts: ShownConflict[] = [];
  const end = (stopped?: string): Pick<Answer, 'status' | 'conflicts' | 'message'> => {
    const open = chosen.length - conflicts.filter(({ result }) => result !== 'markers' && result !== 'left').length;
    const isUntouched = conflicts.every(({ result }) => result === 'left');
    const status = open === 0 ? 'done' : context.signal.aborted ? 'cancelled' : isUntouched ? 'refused' : 'partial';
    return { conflicts, status, message: doneText(chosen.length, open, conflicts, stopped) };
  };
  for (const conflict of chosen) {
    if (context.signal.aborted) return end('Stopped; the remaining files are unchanged.');
    context.progress(`Resolving ${conflict.path}`);
    try {
      conflicts.push(
        await resolved(opened, conflict, await stepOf(opened, conflict, take, merges, context), merges, context),
      );
    } catch (error) {
      // What was resolved before it is in the answer.
      if (conflicts.length === 0 && !isCancelled(error)) throw error;
      return end(isCancelled(error) ? 'Stopped; the remaining files are unchanged.' : asError(error).message);
    }
  }
  return end();
}

async function resolved(
  { sync }: Opened,
  { path, local, remote }: Conflict,
  { shown, choice, begun }: Step,
  merges: BegunMerges,
  { signal }: ToolContext,
): Promise<ShownConflict> {
  if (choice === undefined) return shown;
  const outcome = await sync.resolve(path, choice, { signal, seen: { local, remote } });
  if (outcome.status === 'done') {
    // Recorded last: a merge that is known but was not written would make an edited file of the user count as merged.
    await (begun ? merges.keep(path, begun) : merges.end(path));
    return shown;
  }
  const message = outcome.failed[0]?.message ?? outcome.message;
  return {
    ...shown,
    result: 'left',
    message: message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message,
  };
}

/** Returns the chosen conflicts; a name that is a file on one side and a folder on the other is one conflict, with all in it. */
function conflictsAt(opened: Opened, wanted: string | undefined): readonly Conflict[] {
  const all = opened.plan.entries.filter((entry): entry is Conflict => entry.kind === 'conflict');
  const isWhole = ({ path, reason }: Conflict): boolean =>
    reason === 'fileAndFolder' &&
    all.some((other) => other.reason === 'fileAndFolder' && other.path !== path && isInside(path, other.path));
  const roots = all.filter((conflict) => !isWhole(conflict));
  if (wanted === undefined) return roots;
  const path = pathFromFolder(
    opened,
    wanted
      .replaceAll('\\', '/')
      .replace(/^(?:\.\/)+/, '')
      .replace(/(?<!\/)\/+$/, ''),
  );
  const found = roots.filter((conflict) => isInside(conflict.path, path));
  if (found.length > 0) return found;
  const open = roots.map((conflict) => `“${pathLine(pathInFolder(opened, conflict.path))}”`);
  const named = open.length > 10 ? [...open.slice(0, 10), '…'] : open;
  const hint = open.length === 0 ? 'There are no conflicts.' : `In conflict: ${named.join(', ')}.`;
  throw new ToolError('usage', `“${pathLine(wanted)}” is not in conflict. ${hint}`);
}

function plannedText(conflicts: readonly ShownConflict[]): string {
  if (conflicts.length === 0) return 'No conflicts.';
  const left = conflicts.filter(({ result }) => result === 'left').length;
  if (left === conflicts.length) return 'Nothing can be resolved this way.';
  return `Nothing was changed yet. “yes” does this for ${plural(conflicts.length - left, 'conflict')}.`;
}

function doneText(total: number, open: number, conflicts: readonly ShownConflict[], stopped?: string): string {
  if (total === 0) return 'No conflicts.';
  const marked = conflicts.filter(({ result }) => result === 'markers').length;
  return [
    open === 0 ? `Resolved ${plural(total, 'conflict')}.` : `Resolved ${total - open} of ${plural(total, 'conflict')}.`,
    ...(marked === 0
      ? []
      : [`Choose between the markers in ${plural(marked, 'file')}, remove the markers, then run “resolve” again.`]),
    ...(stopped === undefined ? [] : [stopped]),
  ].join(' ');
}

function toText({ plan, warnings, status, conflicts, message }: Answer): string {
  return [
    ...(status === 'planned' ? warningLines({ warnings }) : []),
    ...conflicts.map(
      ({ path, result, message: why }) => `${result} ${pathLine(path)}${why === '' ? '' : `: ${oneLine(why)}`}`,
    ),
    ...(status === 'planned' && conflicts.length > 0 ? [`Plan ${plan}`] : []),
    oneLine(message),
  ].join('\n');
}
