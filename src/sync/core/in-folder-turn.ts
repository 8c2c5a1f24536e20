import type { SyncOutcome } from './folder-sync.ts';
import { FileProblem, type SyncPorts } from './ports.ts';
import { refused } from '#sync/core/transfer/sync-run.ts';

const otherProgram =
  'Another window or command is changing files of this folder. Wait until it has finished, then try again.';

type Turned = Pick<SyncPorts, 'turn'>;

/** Runs a run while no other program changes files of the folder (docs/sync.md#one-program); refuses it if another one takes too long. */
export async function inFolderTurn(ports: Turned, work: () => Promise<SyncOutcome>): Promise<SyncOutcome> {
  return (await inTurn(ports, work))?.value ?? refused(otherProgram);
}

/** As `inFolderTurn`, for other work; throws `FileProblem` if another program takes too long. */
export async function requireFolderTurn<T>(ports: Turned, work: () => Promise<T>): Promise<T> {
  const done = await inTurn(ports, work);
  if (done) return done.value;
  throw new FileProblem('busy', otherProgram);
}

/** Runs work unless another program is changing files of the folder: what that leaves behind is then not finished yet. */
export async function unlessOthersTurn({ turn }: Turned, work: () => Promise<void>): Promise<void> {
  if (turn) await turn.during(work, { mayWait: false });
  else await work();
}

async function inTurn<T>({ turn }: Turned, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
  return turn ? turn.during(work, { mayWait: true }) : { value: await work() };
}
