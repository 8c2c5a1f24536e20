import { originOf } from '#base/origin.ts';
import type { Client } from '#api/client/client.ts';
import { silentLogger } from '#base/log.ts';
import { Disk } from '#sync/disk/disk.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { HistoryFile } from '#sync/disk/history-file.ts';
import { withReadableErrors } from '#sync/disk/readable-errors.ts';
import { LockFile } from '#sync/disk/lock-file.ts';
import { OutboxFile } from '#sync/disk/outbox-file.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { devBranch } from '#sync/core/target.ts';
import type { DiskKind } from './disk-kinds.ts';
import type { MortalProcess } from './mortal-process.ts';
import { type OnCall, problem, SimulatedDisk } from './simulated-disk.ts';
import { FOLDER, portsOver, STORAGE } from './simulated-ports.ts';
import { TinyPlatform } from './tiny-platform.ts';
import { patientClient } from '../api/patient-client.ts';

/** One session of the engine on a simulated disk, one of whose calls may fail. */
export interface FaultDesk {
  /** The current session. */
  readonly sync: FolderSync;
  /** Opens a second window while the first one is still open. */
  open(): FolderSync;
  /** Starts the engine again after the session was closed. */
  restart(): void;
  readonly platform: TinyPlatform;
  readonly disk: SimulatedDisk;
  /** Kinds of calls since `watch`, each with its number of occurrences. */
  readonly seen: ReadonlyMap<string, number>;
  /** Counts calls from now on; the n-th call of the given kind fails with the code. */
  watch(failing?: FailingCall): void;
  /** Runs `happen` right before the next call whose description begins with this text. */
  beforeCall(beginning: string, happen: () => void): void;
  /** Stops failing and counting calls. */
  calm(): void;
  write(file: string, text: string): void;
  /** Returns the user's files, and the engine's hidden ones. */
  files(): Record<string, string>;
  /** Returns unfinished files that the engine left in its own storage. */
  unfinished(): string[];
}

export interface FailingCall {
  readonly kind: string;
  readonly occurrence: number;
  readonly code: string;
  /** `after`: the call takes effect and then fails anyway, as over a network. */
  readonly when?: 'before' | 'after';
  /** How many calls in a row fail; one by default. */
  readonly row?: number;
}

export interface FaultDeskOptions {
  readonly kind?: DiskKind;
  /** Weakens the engine's ports. */
  readonly ports?: (ports: SyncPorts) => SyncPorts;
  readonly calls?: (calls: DiskCalls) => DiskCalls;
  /** The maximum number of attempts per request of the client; one by default. */
  readonly attempts?: number;
  /** Whether the platform honours conditions; true by default. */
  readonly honours?: boolean;
  /** Starts the process of an opened session; by default all sessions run in the test's own process. */
  readonly start?: () => MortalProcess;
}

export function openFaultDesk(files: Readonly<Record<string, string>>, options: FaultDeskOptions = {}): FaultDesk {
  const { kind: diskKind = { name: 'an ordinary disk' }, ports: weaken = (ports) => ports } = options;
  const disk = new SimulatedDisk(diskKind);
  disk.makeFolder(FOLDER);
  const platform = new TinyPlatform(files, { honours: options.honours ?? true });
  let failing: FailingCall | undefined;
  let left = 0;
  let isWatching = false;
  const seen = new Map<string, number>();
  const before = new Map<string, () => void>();
  const on: OnCall = (call, _isWrite, effect) => {
    if (before.size > 0) {
      const beginning = [...before.keys()].find((each) => call.startsWith(each));
      const happen = before.get(beginning ?? '');
      before.delete(beginning ?? '');
      happen?.();
    }
    if (!isWatching) return effect();
    const kind = kindOf(call);
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    if (failing?.kind === kind && failing.occurrence === count) left = failing.row ?? 1;
    if (failing === undefined || left === 0) return effect();
    left -= 1;
    if (failing.when === 'after') effect();
    throw problem(failing.code, call);
  };
  const callsOf = (process: MortalProcess | undefined): DiskCalls => {
    const within = process ? inProcess(process, on) : on;
    const made = withMoreFaults(disk.calls(within), within);
    return options.calls?.(made) ?? made;
  };
  const shared = callsOf(undefined);
  const branch = devBranch('dev-a');
  if (!branch.ok) throw new Error(branch.error);
  const clientOf = (process: MortalProcess | undefined): Client =>
    patientClient({
      baseUrl: 'http://127.0.0.1',
      credential: () => ({ kind: 'bearer', token: 'key', origin: originOf('http://127.0.0.1') }),
      logger: silentLogger,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        process?.act(`${request.method} ${request.url}`);
        const response = await platform.answer(request);
        process?.look();
        return response;
      },
      limits: { attempts: options.attempts ?? 1 },
    });
  let time = 0;
  const portsNow = (): SyncPorts => {
    const process = options.start?.();
    const calls = process ? callsOf(process) : shared;
    const client = clientOf(process);
    const own = new Disk(calls);
    return weaken({
      ...portsOver(calls, undefined, own),
      outbox: withReadableErrors(new OutboxFile(own, `${STORAGE}/outbox.json`), () => 'The list of waiting files'),
      lock: withReadableErrors(new LockFile(own, `${STORAGE}/lock`, process?.machine), () => 'The lock of this folder'),
      history: withReadableErrors(new HistoryFile(own, `${STORAGE}/history.jsonl`), () => 'The sync history'),
      remote: createPlatformWriter({ client, deployment: 1, branch: branch.value }),
      clock: { now: () => (time += 1), sleep: async (_ms, signal) => signal?.throwIfAborted() },
      editors: { dirty: () => new Set() },
    });
  };
  const target = { account: 'demo', deployment: '1', branch: branch.value };
  const open = (): FolderSync => createFolderSync({ ports: portsNow(), target, logger: silentLogger });
  let sync = open();
  return {
    get sync() {
      return sync;
    },
    open,
    restart: () => {
      sync = open();
    },
    platform,
    disk,
    seen,
    watch: (asked) => {
      seen.clear();
      isWatching = true;
      failing = asked;
      left = 0;
    },
    beforeCall: (beginning, happen) => void before.set(beginning, happen),
    calm: () => {
      isWatching = false;
      failing = undefined;
    },
    write: (file, text) => disk.write(`${FOLDER}/${file}`, Buffer.from(text)),
    files: () =>
      Object.fromEntries(
        [...disk.files(FOLDER)].map(([name, bytes]) => [name.slice(FOLDER.length + 1), String(bytes)]),
      ),
    unfinished: () => [...disk.files(STORAGE).keys()].filter((name) => /\.(tmp|new|stale)$/.test(name)),
  };
}

/** Restricts calls to the lifetime of a process. */
function inProcess(process: MortalProcess, on: OnCall): OnCall {
  return (call, isWrite, effect) => {
    if (isWrite) process.act(call);
    else process.look();
    return on(call, isWrite, effect);
  };
}

/** Adds calls that the simulated disk does not report. */
function withMoreFaults(calls: DiskCalls, on: OnCall): DiskCalls {
  return {
    ...calls,
    realPath: (file) => on(`realpath ${file}`, false, () => calls.realPath(file)),
    utimes: async (file, time) => on(`utimes ${file}`, true, () => calls.utimes(file, time)),
    chmod: async (file, mode) => on(`chmod ${file}`, true, () => calls.chmod(file, mode)),
    open: async (file, flags, mode) => {
      const opened = await calls.open(file, flags, mode);
      return { ...opened, close: async () => on(`close ${file}`, false, () => opened.close()) };
    },
  };
}

/** Returns a call without the parts that vary between runs: random names and hashes. */
function kindOf(call: string): string {
  return call
    .replaceAll(/\.modelbench-[\w-]+/g, '.modelbench')
    .replaceAll(/trash\/[^/ ]+?(\.\w+)/g, 'trash/X$1')
    .replaceAll(/versions\/\S+/g, 'versions/X')
    .replaceAll(/\.[\w]+-[0-9a-f]{12}\.(tmp|new|stale)/g, '.X.$1');
}
