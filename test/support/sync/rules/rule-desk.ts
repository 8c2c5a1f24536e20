import type { Clock } from '#base/clock.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { GuardKind } from '#sync/core/planning/plan.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { type FaultDesk, type FaultDeskOptions, openFaultDesk } from '../fault-desk.ts';
import type { DiskKind } from '../disk-kinds.ts';

export const A = 'model/a.yml';
export const B = 'model/b.yml';
export const C = 'model/sub/c.yml';

const ORDINARY: DiskKind = { name: 'an ordinary disk' };

/** A user who has confirmed the usual guards of a small folder. */
const confirmed: readonly GuardKind[] = ['manyDeletesLocal', 'manyDeletesRemote'];

/** Pauses up to this length, in milliseconds, end at once; longer ones never end, so a story does not see later attempts. */
const LONG = 1500;

/** Opens a session on a simulated disk in which both sides have the same three files. */
export async function agreed(options: Omit<FaultDeskOptions, 'kind'> = {}, kind = ORDINARY): Promise<FaultDesk> {
  const { ports: weaken = (ports: SyncPorts): SyncPorts => ports } = options;
  const patient = (ports: SyncPorts): SyncPorts => {
    const sleep: Clock['sleep'] = (ms) => (ms > LONG ? new Promise(() => undefined) : Promise.resolve());
    return weaken({ ...ports, clock: { now: () => ports.clock.now(), sleep } });
  };
  const desk = openFaultDesk({ [A]: 'a', [B]: 'b', [C]: 'c' }, { ...options, ports: patient, kind });
  await pull(desk.sync);
  // The check after a pull is complete, so it does not interfere with the story.
  await desk.sync.plan();
  return desk;
}

/**
 * Opens a session whose first write, to this file, has shown that the platform honours conditions: the next write needs no check.
 */
export async function honoured(path: string): Promise<FaultDesk> {
  const desk = await agreed();
  desk.write(path, 'first');
  await push(desk.sync);
  return desk;
}

export async function pull(sync: FolderSync): Promise<SyncOutcome> {
  return sync.pull(await sync.plan(), 'all', { confirmed });
}

export async function push(sync: FolderSync): Promise<SyncOutcome> {
  return sync.push(await sync.plan(), 'all', { confirmed });
}

/** Changes the first file on both sides. */
export async function inConflict(desk: FaultDesk): Promise<void> {
  desk.write(A, 'mine');
  desk.platform.files.set(A, 'theirs');
  await desk.sync.plan();
}

export async function trashHolds(sync: FolderSync, text: string): Promise<boolean> {
  const kept = await Promise.all((await sync.trashed()).map(({ id }) => sync.trashedContent(id)));
  return kept.some((bytes) => bytes !== undefined && Buffer.from(bytes).toString() === text);
}
