import type { TurnBranch } from './thread.ts';

/** Determines whether accepted files reach the branch that the answer is about: only an active dev branch receives files. */
export function landing(
  answered: TurnBranch | undefined,
  active: TurnBranch | undefined,
):
  | { readonly kind: 'ok' | 'noDevBranch' }
  | { readonly kind: 'otherBranch'; readonly from: string; readonly to: string } {
  if (!active || active.isDefault) return { kind: 'noDevBranch' };
  if (answered && answered.name !== active.name) return { kind: 'otherBranch', from: answered.name, to: active.name };
  return { kind: 'ok' };
}
