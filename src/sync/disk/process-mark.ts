import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { bootId } from './boot-id.ts';

/** A process, described so that any other process can find out whether it has surely ended (docs/sync.md#lock-dead). */
export interface ProcessMark {
  readonly pid: number;
  readonly boot: string;
  /** Seconds between the start of the machine and this mark: setting the clock does not change them. */
  readonly uptime: number;
  /** The machine; a storage may be shared by several. Older versions did not write it. */
  readonly host?: string | undefined;
  /** The set of processes among which `pid` counts, where the system has several: containers. */
  readonly space?: string | undefined;
  /** When the process started, where the system shows it: an id is given to another process later. */
  readonly start?: string | undefined;
}

/** What a process sees of the machine that it runs on. */
export interface Machine {
  readonly pid: number;
  /** Seconds since the start of the machine. */
  readonly uptime: () => number;
  readonly bootId: () => string;
  readonly host?: string | undefined;
  readonly space?: string | undefined;
  readonly isRunning: (pid: number) => boolean;
  readonly startOf?: ((pid: number) => string | undefined) | undefined;
}

/** When this process started: each lock asks for it. */
let ownStart: string | undefined;

/** The machine as this process sees it. */
export const processMachine: Machine = {
  pid: process.pid,
  uptime,
  bootId,
  host: hostname(),
  space: processSpace(),
  isRunning,
  startOf: (pid) => (pid === process.pid ? (ownStart ??= statOf(pid)?.start) : statOf(pid)?.start),
};

/** Returns the mark of the process that runs this. */
export function ownMark({ pid, bootId: boot, uptime: up, host, space, startOf }: Machine): ProcessMark {
  return { pid, boot: boot(), uptime: up(), host, space, start: startOf?.(pid) };
}

/**
 * Whether a process has surely ended. One on another machine, or in another container, cannot be seen from here, so it never
 * counts as ended: only its silence shows that.
 */
export function hasEnded(mark: ProcessMark, machine: Machine): boolean {
  if ((mark.host ?? machine.host) !== machine.host) return false;
  const boot = machine.bootId();
  const isExact = isFromSystem(mark.boot) && isFromSystem(boot);
  // Where the system has no boot ids, the id follows the clock: only a shorter uptime proves another boot.
  if (isExact ? mark.boot !== boot : machine.uptime() + 1 < mark.uptime) return true;
  if ((mark.space ?? machine.space) !== machine.space) return false;
  if (!machine.isRunning(mark.pid)) return true;
  const start = machine.startOf?.(mark.pid);
  return start !== undefined && mark.start !== undefined && start !== mark.start;
}

/** Whether a boot id comes from the system rather than the clock. */
function isFromSystem(boot: string): boolean {
  return !/^\d+$/.test(boot);
}

function isRunning(pid: number): boolean {
  // What has ended keeps its id until its parent has read its exit code, which in a container often never happens.
  if (/[XZ]/.test(statOf(pid)?.state ?? '')) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the state and the time of the start of a process, where the system shows them in files (`man 5 proc_pid_stat`). */
function statOf(pid: number): { readonly state: string | undefined; readonly start: string | undefined } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before them may hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], start: fields[19] };
  } catch {
    return undefined;
  }
}

function processSpace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
