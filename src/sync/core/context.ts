import type { Logger } from '#base/log.ts';
import type { SyncSettings } from './folder-sync.ts';
import type { LinkSpeed } from './link-speed.ts';
import type { RemoteWriter, SyncPorts } from './ports.ts';
import type { RemoteReads } from './remote-reads.ts';
import type { SyncState } from './state.ts';

/** What the parts of the engine work with. */
export interface SyncContext {
  readonly ports: SyncPorts;
  readonly state: SyncState;
  readonly logger: Logger;
  readonly settings: () => SyncSettings;
  /** False while another window syncs this folder: then nothing here is changed, not even cleaned up. */
  readonly writable: boolean;
  readonly reads: RemoteReads;
  readonly link: LinkSpeed;
}

/** The same with a branch that may be written to. */
export interface WriteContext extends SyncContext {
  readonly writer: RemoteWriter;
}

/** The writer of a target, if its branch is one that can be written to. */
export function writerOf(ports: SyncPorts): RemoteWriter | undefined {
  return 'put' in ports.remote ? ports.remote : undefined;
}
