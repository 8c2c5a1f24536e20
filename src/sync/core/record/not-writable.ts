import type { LastBranch } from '#sync/core/ports.ts';

/** Resolves to the reason why this window must not change the folder or the branch; `undefined` if it may. */
export async function notWritable(
  { writable }: { readonly writable: boolean },
  lastBranch: Pick<LastBranch, 'other'> | undefined,
): Promise<string | undefined> {
  if (!writable) return 'Another window or command syncs this folder with this branch. Close it, or wait for it.';
  const other = await lastBranch?.other();
  // The base of a window that has not heard of the switch no longer describes the files.
  return other === undefined
    ? undefined
    : `Another window or command syncs this folder with “${other}” now, so nothing was changed. Switch to a branch in this window to continue here.`;
}
