import type { SyncContext } from './context.ts';
import { ignoreRulesFor, look } from './engine.ts';
import { blockingGuard } from './guards.ts';
import { checkName, foldName } from '#base/file-names.ts';
import type { Plan, PlanEntry } from './plan.ts';

/** More saves at once than this go through a plan with its guards: it is probably a checkout. */
const QUICK_MAX = 20;

/**
 * The quick way: existing files whose base is known go to the platform without a scan. Undefined when a full plan must
 * decide (a path is gone, or a rename, a crash, a name or an ignore rule is in play).
 */
export async function quickEntries(
  context: SyncContext,
  paths: ReadonlySet<string>,
): Promise<readonly PlanEntry[] | undefined> {
  const { state } = context;
  if (paths.size > QUICK_MAX || state.entries.size === 0 || state.isDoubtful) return undefined;
  const rules = await ignoreRulesFor(context, paths);
  const entries: PlanEntry[] = [];
  for (const path of paths) {
    if (rules.ignores(path, false)) continue;
    const entry = await quickEntry(context, path);
    if (entry === undefined) return undefined;
    if (entry !== 'unchanged') entries.push(entry);
  }
  return entries;
}

async function quickEntry(context: SyncContext, path: string): Promise<PlanEntry | 'unchanged' | undefined> {
  const { state, ports } = context;
  const local = checkName(path) === undefined ? await ports.files.look(path) : undefined;
  if (local?.kind !== 'file' || local.size > context.settings().maxFileSize) return undefined;
  const base = state.entries.get(path);
  const torn = state.unclean && local.size === 0 && (base?.size ?? 0) > 0;
  if (torn) return undefined;
  if (base?.hash === local.hash) return 'unchanged';
  const { hash, size } = local;
  return { kind: 'upload', path, reason: base ? 'changed' : 'added', hash, size, expectedRemote: base?.hash };
}

/** The thorough way: a full look, its guards, and of it what may go by itself. */
export async function plannedEntries(
  context: SyncContext,
  target: string,
  paths: ReadonlySet<string>,
): Promise<readonly PlanEntry[]> {
  const { plan } = await look(context, target);
  const entries = automaticEntries(plan, paths);
  return blockingGuard(plan.guards, 'push', entries, []) ? [] : entries;
}

/** What of a full plan goes by itself after a save: changed, new and renamed files. Deletions never do. */
function automaticEntries(plan: Plan, paths: ReadonlySet<string>): readonly PlanEntry[] {
  const folded = new Set([...paths].map(foldName));
  const saved = (path: string): boolean => folded.has(foldName(path));
  return plan.entries.filter((entry) => {
    if (entry.kind === 'upload') return saved(entry.path);
    return entry.kind === 'renameRemote' && (saved(entry.path) || saved(entry.from));
  });
}
