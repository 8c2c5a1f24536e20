import type { Accounts } from '#features/accounts/index.ts';
import type { PlatformData, Session } from '#features/platform/index.ts';
import type { SyncSessions } from './sync-sessions.ts';

/** What a window compares and reads again. */
export interface ReturnPorts {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly session: Session;
  readonly syncs: Pick<SyncSessions, 'all'>;
}

/** A window got the focus: compares both sides once, since colleagues may have been busy and files changed outside. */
export function refreshOnReturn({ accounts, data, session, syncs }: ReturnPorts): void {
  session.recheck();
  for (const { sync } of syncs.all.value) sync.plan().catch(() => undefined);
  const target = session.active.value;
  if (target) {
    void data.known(target)?.branches.refresh();
    void data.known(target)?.keyBranch.refresh();
  }
  // What could not be loaded before is tried again.
  for (const { id } of accounts.all.value) {
    const deployments = data.deployments(id);
    if (deployments.state.value.error) void deployments.refresh();
  }
}
