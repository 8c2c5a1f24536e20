import type { Logger } from '#base/log.ts';
import type { SyncContext } from './context.ts';
import type { SyncSettings } from './folder-sync.ts';
import type { SyncPorts } from './ports.ts';
import { type StatePorts, SyncState } from './state.ts';
import type { SyncTarget } from './target.ts';

/** An opened base, as the one writer of the folder and branch or as a mere reader. */
export interface Session {
  readonly context: SyncContext;
  readonly writable: boolean;
  close(): Promise<void>;
}

/** Takes the writer's lock if it is free; without it the base is read and nothing of it is ever written. */
export async function openSession(
  ports: SyncPorts,
  target: SyncTarget,
  logger: Logger,
  settings: () => SyncSettings,
): Promise<Session> {
  const writable = await ports.lock.acquire();
  const state = await SyncState.open(writable ? ports : readingPorts(ports), target);
  if (writable && state.unclean) logger.info('The last run did not end cleanly; both sides are compared again');
  return {
    context: { ports, state, logger, settings },
    writable,
    close: async () => {
      if (!writable) return;
      await state.close();
      await ports.journal.close();
      await ports.lock.release();
    },
  };
}

function readingPorts(ports: SyncPorts): StatePorts {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    base: { load: () => ports.base.load(), save: nothing },
    journal: {
      boot: ports.journal.boot,
      load: () => ports.journal.load(),
      append: nothing,
      reset: nothing,
      close: nothing,
    },
    files: { recover: nothing },
  };
}
