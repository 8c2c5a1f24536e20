import * as v from 'valibot';
import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import { type OpenedBranch, syncInput, withPlan } from './dev-branch.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import type { OpenedSync, ToolPorts } from '#tools/ports.ts';
import { planEntries, planLines, requireShown, warningLines, type ShownPlan, shownPlan } from './shown-plan.ts';
import { pathInFolder } from '#tools/platform/shown-path.ts';
import { defineTool, type ToolContext } from '#tools/tool.ts';
import type { Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import { frozenReasons } from '#sync/core/planning/plan-text.ts';

/** Without it, a tool that changes something only shows its plan. */
export const yesInput = v.optional(
  v.pipe(
    v.boolean(),
    v.description('Applies the change. Without it, the answer lists what would change, and nothing is done.'),
  ),
  false,
);

const input = v.object({
  ...syncInput,
  plan: v.optional(
    v.pipe(
      v.string(),
      v.description('The id of the plan that was reviewed: any other is refused, and its warnings count as seen.'),
    ),
  ),
  yes: yesInput,
});

const output = v.object({
  ...planEntries,
  status: v.pipe(
    v.picklist(['planned', 'done', 'partial', 'cancelled', 'refused']),
    v.description(
      '`planned`: nothing was done yet. `partial`: not all, see `failed`. `refused`: nothing was done, see `message`.',
    ),
  ),
  applied: v.array(v.string()),
  failed: v.array(v.object({ path: v.string(), message: v.string() })),
  message: v.string(),
});
type Transfer = v.InferOutput<typeof output>;

/** Pushes new and newer files of the folder to a dev branch (docs/tools.md#push-and-pull). */
export const push = defineTool({
  name: 'push',
  title: 'Push to Dev Branch',
  description:
    'Pushes the changes of the linked folder to a dev branch. Without “yes” it only shows the plan. What the platform has of a replaced file goes to a trash on this computer. Conflicts are not pushed: “resolve” merges them.',
  risk: 'devBranch',
  reach: 'platform',
  positional: ['branch'],
  examples: [
    { command: 'modelbench push', does: 'Shows what would be pushed.' },
    { command: 'modelbench push --plan 1f0c2a9be433 --yes', does: 'Pushes exactly the plan that was shown.' },
  ],
  input,
  output,
  run: async (ports, given, context) => transfer('push', ports, given, context),
  toText,
  hasFindings,
});

/** Pulls new and newer files of the dev branch into the folder (docs/tools.md#push-and-pull). */
export const pull = defineTool({
  name: 'pull',
  title: 'Pull from Dev Branch',
  description:
    'Pulls what is newer on a dev branch into the linked folder. Without “yes” it only shows the plan. Replaced and deleted files go to a trash on this computer.',
  risk: 'devBranch',
  reach: 'platform',
  positional: ['branch'],
  examples: [
    { command: 'modelbench pull', does: 'Shows what would be pulled.' },
    { command: 'modelbench pull dev-ada-1 --yes', does: 'Pulls what the plan shows.' },
  ],
  input,
  output,
  run: async (ports, given, context) => transfer('pull', ports, given, context),
  toText,
  hasFindings,
});

type Way = 'push' | 'pull';

async function transfer(
  way: Way,
  ports: Pick<ToolPorts, 'platform' | 'sync'>,
  given: v.InferOutput<typeof input>,
  context: ToolContext,
): Promise<Transfer> {
  return withPlan(ports, given, context, async (opened) => {
    const shown = ofWay(way, await shownPlan(opened, opened.plan));
    await requireShown(opened.plan, given.plan);
    if (!given.yes) return { ...shown, status: 'planned', applied: [], failed: [], message: plannedText(way, shown) };
    const outcome = await carryOut(way, opened, given.plan === undefined ? 'unseen' : 'seen', context);
    const { status, applied, changed, failed, message } = outcome;
    const conflicts = shown.changes.filter(({ change }) => change === 'conflict');
    const unread = unreadFiles(opened.plan.entries);
    return {
      ...shown,
      // What a user has to decide or to make readable is left, so the folder and the branch may still differ.
      status: status === 'done' && conflicts.length + unread.length > 0 ? 'partial' : status,
      applied: applied.map(({ path }) => pathInFolder(opened, path)),
      failed: [
        ...failed.map((each) => ({ path: pathInFolder(opened, each.path), message: withoutPath(each) })),
        ...changed.map((path) => ({
          path: pathInFolder(opened, path),
          message: 'It changed since the plan, so it was left as it is.',
        })),
        ...conflicts.map(({ path, reason }) => ({
          path,
          message: `It is in conflict (${reason ?? 'changed on both sides'}), so it was left as it is. “resolve” merges both versions or takes one.`,
        })),
        ...unread.map(({ path, reason }) => ({
          path: pathInFolder(opened, path),
          message: `It was left as it is (${frozenReasons[reason]}).`,
        })),
      ],
      message: failed.reduce((text, each) => text.replace(each.message, withoutPath(each)), message),
    };
  });
}

/** Returns what could not be read this time: of a folder only the folder, not everything that is known to be in it. */
function unreadFiles(entries: readonly PlanEntry[]): readonly FrozenEntry[] {
  const unread = entries
    .filter((entry) => entry.kind === 'frozen')
    .filter(({ reason }) => reason === 'unreadable' || reason === 'unstable');
  const paths = new Set(unread.map(({ path }) => path));
  return unread.filter(({ path }) => !foldersOf(path).some((folder) => paths.has(folder)));
}

function foldersOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

type FrozenEntry = Extract<PlanEntry, { kind: 'frozen' }>;

/** Returns why a file failed without its path in the linked folder: the answer has the path that opens. */
function withoutPath({ path, message }: { readonly path: string; readonly message: string }): string {
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}

/** Runs a plan. If its id was reviewed, its warnings are confirmed as well. */
async function carryOut(
  way: Way,
  { sync, plan }: OpenedBranch & Pick<OpenedSync, 'sync'> & { readonly plan: Plan },
  warnings: 'seen' | 'unseen',
  { signal, progress }: ToolContext,
): Promise<SyncOutcome> {
  const options = {
    signal,
    confirmed: warnings === 'seen' ? plan.guards.map(({ kind }) => kind) : [],
    onProgress: ({ done, total }: { readonly done: number; readonly total: number }) =>
      progress(`${way === 'push' ? 'Sent' : 'Brought'} ${done} of ${plural(total, 'file')}`),
  };
  return way === 'push' ? sync.push(plan, 'all', options) : sync.pull(plan, 'all', options);
}

/** Leaves out changes of the other direction, so that they are not taken for changes of this one. */
function ofWay(way: Way, shown: ShownPlan): ShownPlan {
  return { ...shown, changes: shown.changes.filter((change) => change.way === way || change.change === 'conflict') };
}

function plannedText(way: Way, { changes }: ShownPlan): string {
  const count = changes.filter((change) => change.way === way).length;
  if (count === 0) return `Nothing to ${way}.`;
  return `Nothing was changed yet. “yes” ${way === 'push' ? 'sends' : 'brings'} ${plural(count, 'change')}.`;
}

function toText({ status, failed, message, ...shown }: Transfer): string {
  // Nothing in this direction does not mean that both sides are the same.
  const lines = status !== 'planned' ? [] : shown.changes.length > 0 ? planLines(shown) : warningLines(shown);
  const failures = failed.map((each) => `${pathLine(each.path)}: ${oneLine(each.message)}`);
  return [...lines, ...failures, message].join('\n');
}

function hasFindings({ status }: Transfer): boolean {
  switch (status) {
    case 'planned':
    case 'done':
      return false;
    case 'partial':
    case 'cancelled':
    case 'refused':
      return true;
    default:
      return unreachable(status);
  }
}
