import type { Logger } from '#base/log.ts';
import type { FileRules } from '#sync/core/selection/file-rules.ts';
import type { SyncSettings } from './folder-sync.ts';
import type { LinkSpeed } from '#sync/core/remote/link-speed.ts';
import type { RemoteWriter, SyncPorts } from './ports.ts';
import type { RemoteReads } from '#sync/core/remote/remote-reads.ts';
import type { SyncRecord } from '#sync/core/record/sync-record.ts';

/** The state and services that the modules of the engine share. */
export interface SyncContext {
  readonly ports: SyncPorts;
  readonly state: SyncRecord;
  readonly logger: Logger;
  readonly settings: () => SyncSettings;
  /** False while another window syncs this folder: this one then changes nothing here, not even to clean up. */
  readonly writable: boolean;
  readonly reads: RemoteReads;
  readonly link: LinkSpeed;
}

/** A context whose branch can be written to. */
export interface WriteContext extends SyncContext {
  readonly writer: RemoteWriter;
}

/** Returns the rules for the files of a sync: a branch that takes whole uploads only is deployed to. */
export function fileRulesOf(ports: SyncPorts): FileRules {
  return writerOf(ports)?.transactionOnly === true ? 'deploy' : 'sync';
}

/** Returns the writer of a target, if its branch can be written to. */
export function writerOf(ports: SyncPorts): RemoteWriter | undefined {
  return 'put' in ports.remote ? ports.remote : undefined;
}
