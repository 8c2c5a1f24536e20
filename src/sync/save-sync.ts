import type { WriteContext } from './context.ts';
import { ignoreRules } from './engine.ts';
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
  const { state, writer, ports } = context;
  if (paths.size > QUICK_MAX || state.entries.size === 0) return undefined;
  const rules = await ignoreRules(context);
  const entries: PlanEntry[] = [];
  let current = true;
  for (const path of paths) {
    if (rules.ignores(path, false)) continue;
    if (checkName(path) !== undefined) return undefined;
    const local = await ports.files.look(path);
    if (local.kind !== 'file' || local.size > context.settings().maxFileSize) return undefined;
    const base = state.entries.get(path);
    if (state.unclean && local.size === 0 && base && base.size > 0) return undefined;
    if (base?.hash === local.hash) continue;
    current &&= knownRemote(path) === base?.hash;
    const reason = base ? 'changed' : 'added';
    const { hash, size } = local;
    entries.push({ kind: 'upload', path, reason, hash, size, expectedRemote: base?.hash });
  }
  return { entries, skipLook: current && entries.length === 1 && writer.honoursPreconditions };
}

/** What of a full plan goes by itself after a save: changed, new and renamed files. Deletions never do. */
export function automaticEntries(plan: Plan, paths: ReadonlySet<string>): readonly PlanEntry[] {
  const folded = new Set([...paths].map(foldName));
  const saved = (path: string): boolean => folded.has(foldName(path));
  return plan.entries.filter((entry) => {
    if (entry.kind === 'upload') return saved(entry.path);
    return entry.kind === 'renameRemote' && (saved(entry.path) || saved(entry.from));
  });
}
