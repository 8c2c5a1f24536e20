import type { ReadonlyStore } from '#base/store.ts';
import { Hint } from '#shell/user-error.ts';

/** Whether the user trusts the workspace of this window. */
export interface WindowTrust {
  readonly isTrusted: ReadonlyStore<boolean>;
}

/** Throws a `Hint` in Restricted Mode, where nothing may be changed on the platform. */
export function requireTrust({ isTrusted }: WindowTrust): void {
  if (isTrusted.value) return;
  throw new Hint('This window is in Restricted Mode: nothing is sent to the platform. Trust the workspace first.', {
    title: 'Manage Workspace Trust',
    command: 'modelbench.manageTrust',
  });
}
