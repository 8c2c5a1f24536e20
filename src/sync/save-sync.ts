import type { SyncContext, WriteContext } from './context.ts';
import { ignoreRules, look } from './engine.ts';
import { blockingGuard } from './guards.ts';
import { checkName, foldName } from './names.ts';
import type { Plan, PlanEntry } from './plan.ts';
import type { Hash } from './ports.ts';

/** What save-sync sends for some saved paths, and whether a look may be left out. */
export interface SaveEntries {
  readonly entries: readonly PlanEntry[];
  readonly skipLook: boolean;
}

/** More saves at once than this go through a plan with its guards: it is probably a checkout. */
const QUICK_MAX = 20;

/**
 * The quick way: existing files whose base is known go to the platform without a scan. Undefined when a full plan must
 * decide (a path is gone, or a rename, a crash, a name or an ignore rule is in play).
 */
export async function quickEntries(
  context: WriteContext,
  paths: ReadonlySet<string>,
  knownRemote: (path: string) => Hash | undefined,
): Promise<SaveEntries | undefined> {
  const { state, writer } = context;
  if (paths.size > QUICK_MAX || state.entries.size === 0) return undefined;
  const rules = await ignoreRules(context);
  const entries: PlanEntry[] = [];
  for (const path of paths) {
    if (rules.ignores(path, false)) continue;
    const entry = await quickEntry(context, path);
    if (entry === undefined) return undefined;
    if (entry !== 'unchanged') entries.push(entry);
  }
  const [only, ...more] = entries;
  const alone = only !== undefined && more.length === 0;
  const current = alone && knownRemote(only.path) === state.entries.get(only.path)?.hash;
  return { entries, skipLook: current && writer.honoursPreconditions };
}

async function quickEntry(context: WriteContext, path: string): Promise<PlanEntry | 'unchanged' | undefined> {
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
): Promise<SaveEntries> {
  const { plan } = await look(context, target);
  const entries = automaticEntries(plan, paths);
  return { entries: blockingGuard(plan.guards, 'push', entries, []) ? [] : entries, skipLook: false };
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
