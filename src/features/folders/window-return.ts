import type { Accounts } from '#features/accounts/index.ts';
import type { PlatformData, Session } from '#features/platform/index.ts';
import type { SyncSessions } from './sync-sessions.ts';

/** What a window compares and reads again when it gets the focus. */
export interface ReturnPorts {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
  readonly syncs: Pick<SyncSessions, 'all'>;
}

/**
 * Compares both sides once when the window gets the focus: colleagues may have changed the branch, and other programs the files.
 */
export function refreshOnReturn({ accounts, data, session, syncs }: ReturnPorts): void {
  session.recheck();
  for (const { sync } of syncs.all.value) sync.plan().catch(() => undefined);
  const target = session.active.value;
  if (target) {
    void data.known(target)?.branches.refresh();
    void data.known(target)?.keyBranch.refresh();
  }
  // Retry what could not be loaded before.
  for (const { id } of accounts.all.value) {
    const deployments = data.deployments(id);
    if (deployments.state.value.error) void deployments.refresh();
  }
}
