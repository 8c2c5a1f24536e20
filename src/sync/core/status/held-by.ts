import type { WaitReason } from '#sync/core/record/outbox.ts';
import type { PauseReason, SyncFacts } from './sync-facts.ts';

const pauses: Readonly<Record<PauseReason, string>> = {
  gitCheckout: 'Git is changing the files of the folder, or a merge or rebase is unfinished.',
  ownPull: 'The platform is changing the branch: a commit, pull or merge is running.',
  gitProvider: 'A Git repository feeds the deployment, and you have not agreed to uploads yet.',
  signedOut: 'The platform refuses the API key. Sign in again.',
  byUser: 'Sync is paused. Resume it to upload saved files.',
};

/** Returns a sentence about what currently prevents the automatic upload of a local change; `undefined` if nothing does. */
export function heldBy(
  { outbox, paused, readOnly, outage, error }: Pick<SyncFacts, 'outbox' | 'paused' | 'readOnly' | 'outage' | 'error'>,
  path: string,
): string | undefined {
  if (readOnly === 'branch') return 'The branch is read only. Start dev mode to push.';
  if (readOnly === 'otherWindow') return 'Another window or command syncs this folder with this branch.';
  const waiting = waitsFor(outbox.find((item) => item.path === path)?.reason);
  if (waiting !== undefined) return waiting;
  const [pause] = paused;
  if (pause !== undefined) return pauses[pause];
  return waitsFor(outage) ?? error?.message;
}

/** Turns a wait reason into a sentence. The messages are written to follow “waiting: ”. */
function waitsFor(reason: WaitReason | undefined): string | undefined {
  if (reason === undefined || reason.message === '') return undefined;
  return `The saved file is waiting: ${reason.message.replace(/\.$/, '')}.`;
}
