import { append } from '#base/long-lists.ts';
import { asError } from '#base/async.ts';
import type { WriteContext } from '#sync/core/context.ts';
import { type Effect, finishEffects, type EffectOutcomes } from './effects.ts';
import { keepForGood } from '#sync/core/record/keep-for-good.ts';
import { keepReplaced } from './keep-replaced.ts';
import { type PlanEntry, sizeOf } from '#sync/core/planning/plan.ts';
import { proveEffects, unprovenError } from './proven-effects.ts';
import type { Hash } from '#sync/core/hash.ts';
import type { RemoteListing, WriteReply } from '#sync/core/ports.ts';
import type { SyncRun } from './sync-run.ts';
import type { Agreement, Intent } from '#sync/core/record/sync-record.ts';

/**
 * Carries out effects in this order: copies of replaced versions to the trash, flush to disk, journal, effect, confirmation
 * (docs/sync.md#effects). Uploaded versions are durable on this disk first, so that a power loss cannot leave an older version here
 * than on the platform. Without support for conditional writes, and with `allOrNothing`, the platform is checked again before the
 * effect: files that changed there are left out; with `allOrNothing`, nothing is sent then.
 */
export async function carryOut(
  context: WriteContext,
  effects: readonly Effect[],
  send: (effects: readonly Effect[], fresh: RemoteListing | undefined) => Promise<WriteReply>,
  run: SyncRun,
  how: 'conditional' | 'allOrNothing' = 'conditional',
): Promise<EffectOutcomes> {
  const kept = await keptHere(context, await keepReplaced(context, effects, run), run);
  const failed = effects.filter((effect) => !kept.includes(effect));
  const isHeld = how === 'allOrNothing' && failed.length > 0;
  if (isHeld) for (const { entry } of kept) run.fail(entry.path, new Error(HELD));
  if (kept.length === 0 || isHeld || run.stopped) {
    return { done: [], confirmed: [], changed: [], failed, error: undefined, cancelled: run.cancelled };
  }
  const time = context.ports.clock.now();
  await context.state.intend(kept.flatMap((effect) => intents(effect, time)));
  const listsFirst = how === 'allOrNothing' || !context.writer.honoursPreconditions;
  const outcomes = await finishEffects(kept, send, { ...context.ports, signal: run.signal, listsFirst, how });
  for (const { entry } of [...outcomes.done, ...outcomes.confirmed]) run.progress(entry.path, sizeOfUpload(entry));
  await acknowledge(context, outcomes.done, run);
  append(run.confirmed, outcomes.confirmed);
  noteOthers(outcomes, run);
  return outcomes;
}

/**
 * Finds out which of the effects that the platform confirmed in this run it really has: those are acknowledged, and the others
 * failed (docs/sync.md#effect-proven). Call it after the last effect, and wherever the next one builds on those before.
 */
export async function proveConfirmed(context: WriteContext, run: SyncRun): Promise<void> {
  const effects = run.confirmed.splice(0);
  if (effects.length === 0) return;
  try {
    const { proven, missing } = await proveEffects(effects, { ...context.ports, signal: run.signal });
    await acknowledge(context, proven, run);
    for (const each of missing) {
      if (run.stopped && each.why === 'late') run.unanswered += 1;
      else run.fail(each.effect.entry.path, unprovenError(each));
    }
  } catch (thrown) {
    const error = asError(thrown);
    // The next comparison shows what became of them.
    for (const { entry } of effects) if (!run.applied.includes(entry)) run.fail(entry.path, error);
  }
}

/** Records the effects that did not happen, or may not have happened. */
function noteOthers({ changed, failed, error, cancelled, unanswered = [] }: EffectOutcomes, run: SyncRun): void {
  for (const { entry } of changed) run.changed.add(entry.path);
  for (const { entry } of failed) run.fail(entry.path, error ?? new Error('The platform refused the change.'));
  if (cancelled) run.cancelled = true;
  run.unanswered += unanswered.length;
}

const HELD = 'Nothing was sent, because one of the files could not be flushed to the disk first.';

/** Flushes the local side of the effects to disk. Resolves to the effects for which that worked. */
async function keptHere({ ports }: WriteContext, effects: readonly Effect[], run: SyncRun): Promise<readonly Effect[]> {
  if (effects.length === 0 || run.stopped) return effects;
  const paths = effects.flatMap(({ facets }) => facets.map(({ path }) => path));
  const unkept = await keepForGood(ports.files, paths);
  return effects.filter(({ entry, facets }) => {
    const problem = facets.map(({ path }) => unkept.get(path)).find((found) => found !== undefined);
    if (problem) run.fail(entry.path, problem);
    return !problem;
  });
}

/** Advances the base: the platform has been seen to have these versions, and they are durable on this disk. */
async function acknowledge(context: WriteContext, done: readonly Effect[], run: SyncRun): Promise<void> {
  if (done.length === 0) return;
  await context.state.commit(done.flatMap(({ entry, facets }) => facets.map((facet) => agreement(entry, facet))));
  for (const { entry } of done) run.applied.push(entry);
}

function sizeOfUpload(entry: PlanEntry): number {
  return entry.kind === 'upload' ? entry.size : 0;
}

function agreement(entry: PlanEntry, facet: { path: string; after: Hash | undefined }): Agreement {
  return { path: facet.path, hash: facet.after, size: facet.after === undefined ? 0 : sizeOf(entry) };
}

function intents({ entry, facets }: Effect, time: number): Intent[] {
  return facets.map((facet) => ({ side: 'there', ...agreement(entry, facet), time }));
}
