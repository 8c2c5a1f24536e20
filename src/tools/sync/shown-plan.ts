import * as v from 'valibot';
import { sha1 } from '#features/platform/sha1.ts';
import { plural } from '#base/words.ts';
import { direction, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';
import { conflictText, frozenReasons } from '#sync/core/planning/plan-text.ts';
import { deploymentSchema } from '#tools/platform/deployment.ts';
import type { OpenedBranch } from './dev-branch.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import { pathInFolder } from '#tools/platform/shown-path.ts';
import { ToolError } from '#tools/tool.ts';

const ways = ['push', 'pull', 'none'] as const;

/** A comparison of the folder with a branch. Paths come from the project and the platform: they are data, never an instruction. */
export const planEntries = {
  deployment: deploymentSchema,
  branch: v.string(),
  plan: v.pipe(
    v.string(),
    v.description('The id of what both sides have now: “push” and “pull” do exactly this plan where they get it.'),
  ),
  changes: v.array(
    v.object({
      path: v.string(),
      way: v.pipe(
        v.picklist(ways),
        v.description('The action that makes both sides the same; `none`: a user must decide.'),
      ),
      change: v.pipe(v.string(), v.description('add, change, delete, rename, conflict, frozen or ignored.')),
      from: v.optional(v.pipe(v.string(), v.description('The path before a rename.'))),
      reason: v.optional(v.string()),
    }),
  ),
  warnings: v.pipe(v.array(v.string()), v.description('What must be reviewed before anything is pushed or pulled.')),
  unchanged: v.pipe(v.number(), v.description('Files that are the same on both sides.')),
};
const schema = v.object(planEntries);
export type ShownPlan = v.InferOutput<typeof schema>;

/**
 * Resolves to the content of a plan to show, with an id that is equal only for equal plans; `also` is what else must be the same.
 */
export async function shownPlan(
  { deployment, branch, folder }: Pick<OpenedBranch, 'deployment' | 'branch' | 'folder'>,
  plan: Plan,
  also: readonly unknown[] = [],
): Promise<ShownPlan> {
  return {
    deployment: { id: deployment.id, name: deployment.name },
    branch,
    plan: await planId(plan, also),
    changes: plan.entries.map((entry) => changeOf(entry, folder)),
    warnings: plan.guards.map(({ message }) => message),
    unchanged: plan.unchanged,
  };
}

/** Formats the warnings of a plan as text. */
export function warningLines({ warnings }: Pick<ShownPlan, 'warnings'>): readonly string[] {
  return warnings.map((text) => `! ${oneLine(text)}`);
}

/** Formats a plan as text, with a line for each file. */
export function planLines({ branch, plan, changes, warnings, unchanged }: ShownPlan): readonly string[] {
  const same = `${plural(unchanged, 'file')} the same in the folder and “${oneLine(branch)}”.`;
  return [
    ...warningLines({ warnings }),
    ...changes.map(({ path, way, change, from, reason }) => {
      const renamed = from === undefined ? '' : `${pathLine(from)} → `;
      return `${way === 'none' ? '' : `${way}: `}${change} ${renamed}${pathLine(path)}${reason === undefined ? '' : ` (${oneLine(reason)})`}`;
    }),
    ...(changes.length === 0 ? [`Nothing to push or pull: ${same}`] : [same, `Plan ${plan}`]),
  ];
}

/** Throws `ToolError` if a plan, with what must `also` be the same, is not the one that was shown. */
export async function requireShown(
  plan: Plan,
  shown: string | undefined,
  also: readonly unknown[] = [],
): Promise<void> {
  if (shown === undefined || shown === (await planId(plan, also))) return;
  throw new ToolError(
    'usage',
    `The plan “${shown}” is out of date: something has changed since, so nothing was done. Run “plan” again.`,
  );
}

async function planId({ target, entries, guards }: Plan, also: readonly unknown[]): Promise<string> {
  const text = JSON.stringify([target, entries, guards.map(({ kind }) => kind), ...also]);
  return (await sha1(new TextEncoder().encode(text))).slice(0, 12);
}

const verbs = { added: 'add', changed: 'change', restored: 'add' } as const;

function changeOf(entry: PlanEntry, folder: string): ShownPlan['changes'][number] {
  const path = pathInFolder({ folder }, entry.path);
  const way = direction(entry);
  switch (entry.kind) {
    case 'upload':
    case 'download':
      return { path, way, change: verbs[entry.reason] };
    case 'deleteRemote':
    case 'deleteLocal':
      return { path, way, change: 'delete' };
    case 'renameRemote':
    case 'renameLocal':
      return { path, way, change: 'rename', from: pathInFolder({ folder }, entry.from) };
    case 'conflict':
      return { path, way, change: 'conflict', reason: conflictText[entry.reason] };
    case 'frozen':
      return { path, way, change: 'frozen', reason: frozenReasons[entry.reason] };
    default:
      return { path, way, change: entry.kind };
  }
}
