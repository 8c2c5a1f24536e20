import { hash } from 'node:crypto';
import { type Machine, processMachine } from './process-mark.ts';
import { randomName } from './random-name.ts';

/** The processes that this one sees: a number means the same process only among them, and only until the machine starts again. */
function spaceOf({ host, space, bootId }: Machine): string {
  return hash('sha256', JSON.stringify([host, space, bootId()])).slice(0, 12);
}

/**
 * Returns a new name beside one of our files, to write it under until it is complete. It says which process writes it, so that the
 * next one can distinguish a file in use from the remains of a process that was killed.
 */
export function temporaryName(file: string, machine: Machine = processMachine): string {
  return `${file}.${randomName()}-${spaceOf(machine)}-${machine.pid}.tmp`;
}

/**
 * Whether the process that wrote a temporary file has surely ended. False for one of another machine, container or start of this
 * machine, and where the number was given to another process since: only the file's age shows those.
 */
export function isOfEndedProcess(name: string, machine: Machine = processMachine): boolean {
  const [, space, pid] = /-([0-9a-f]{12})-(\d+)\.tmp$/.exec(name) ?? [];
  return pid !== undefined && space === spaceOf(machine) && !machine.isRunning(Number(pid));
}
