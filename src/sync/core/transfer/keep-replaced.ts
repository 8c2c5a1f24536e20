import { asError, isCancelled } from '#base/async.ts';
import { versionOf } from '#sync/core/versions/contents.ts';
import type { WriteContext } from '#sync/core/context.ts';
import type { Effect } from './effects.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { TrashCause } from '#sync/core/ports.ts';
import type { SyncRun } from './sync-run.ts';

interface Replaced {
  readonly effect: Effect;
  readonly path: string;
  readonly hash: Hash;
  readonly cause: TrashCause;
  readonly deleted: boolean;
}

/**
 * Copies to the trash each version on the platform that the effects remove without the user having agreed to lose it:
 * deleted files, files that the local version of a conflict replaces, files that a deploy replaces. Resolves to the
 * effects that may proceed; where a version cannot be copied, that effect fails and replaces nothing.
 */
export async function keepReplaced(
  context: WriteContext,
  effects: readonly Effect[],
  run: SyncRun,
): Promise<readonly Effect[]> {
  const replaced = effects.flatMap((effect) => replacedBy(context, effect) ?? []);
  const held = new Set<Effect>();
  for (const one of replaced) {
    if (run.stopped) break;
    const problem = await kept(context, one, replaced, run);
    if (!problem) continue;
    held.add(one.effect);
    run.fail(one.path, problem);
  }
  return effects.filter((effect) => !held.has(effect));
}

function replacedBy({ state, writer }: WriteContext, effect: Effect): Replaced | undefined {
  const { entry } = effect;
  const { path } = entry;
  if (entry.kind === 'deleteRemote') {
    const cause = writer.transactionOnly ? 'deploy' : 'push';
    return { effect, path, hash: entry.expectedRemote, cause, deleted: true };
  }
  if (entry.kind !== 'upload' || entry.expectedRemote === undefined) return undefined;
  const hash = entry.expectedRemote;
  if (writer.transactionOnly) return { effect, path, hash, cause: 'deploy', deleted: false };
  // The user edited the agreed version, so it needs no copy.
  if (state.entries.get(path)?.hash === hash) return undefined;
  return { effect, path, hash, cause: 'keepMine', deleted: false };
}

const NOT_KEPT = 'stays as it is on the platform, because its version there cannot be copied to the trash.';

/** Copies one version; resolves to the reason when that is not possible. */
async function kept(
  context: WriteContext,
  { path, hash, cause, deleted }: Replaced,
  along: readonly Replaced[],
  run: SyncRun,
): Promise<Error | undefined> {
  try {
    const bytes = await versionOf(context, { path, hash }, along, run.signal);
    if (!bytes) {
      // If someone else changed the file in the meantime, the effect itself will find that out.
      const { files } = await context.ports.remote.list(run.signal);
      return files.get(path)?.hash === hash ? new Error(`${path} ${NOT_KEPT}`) : undefined;
    }
    run.trashed.push(await context.ports.trash.put(path, bytes, { cause, deleted }));
    return undefined;
  } catch (thrown) {
    const error = asError(thrown);
    if (!isCancelled(error)) return error;
    run.cancelled = true;
    return error;
  }
}
