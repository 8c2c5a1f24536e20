import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { abortable, asError } from '#base/async.ts';
import type { SandboxRequest, SandboxResponse } from './messages.ts';

export interface SandboxOptions {
  /** The program of the process (`child.ts`, bundled). */
  readonly program: string;
  /** What is evaluated in the realm before the first question; read when a process starts. */
  readonly scripts: () => readonly string[];
  /** A question that takes longer is given up and the process ended, in milliseconds. */
  readonly limitMs: number;
  /** A process without a question is ended after this time: it holds some 150 MB. */
  readonly idleMs: number;
  /** The most that a realm may hold, in megabytes. */
  readonly heapMb?: number | undefined;
  /** Starts the process; the default takes every right from it. */
  readonly launch?: ((options: SandboxOptions) => ChildProcess) | undefined;
}

/** A realm in a process of its own: texts in, texts out. */
export interface Sandbox {
  /**
   * One question after the other. Rejects when the realm gave no answer; the next question then starts a new process. The
   * signal gives up this question only: code that runs does not listen, so its process is ended.
   */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** Ends it for good; questions under way reject. */
  close(): void;
  /** Ends it for good once everything that was asked is answered. */
  retire(): void;
}

/** A sandbox whose process starts with its first task and ends when it is idle, too slow or retired; tasks run one after the other. */
export function createSandbox(options: SandboxOptions): Sandbox {
  let running: Running | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let tail: Promise<unknown> = Promise.resolve();

  let isClosed = false;

  const end = (): void => {
    clearTimeout(idle);
    running?.kill();
    running = undefined;
  };
  const ask = async (question: string, signal?: AbortSignal): Promise<string> => {
    if (isClosed) throw new Error('The engine stopped.');
    signal?.throwIfAborted();
    clearTimeout(idle);
    running ??= start(options);
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await running.ask(question);
    } catch (error) {
      end();
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      idle = setTimeout(end, options.idleMs);
      idle.unref();
    }
  };
  const close = (): void => {
    isClosed = true;
    end();
  };
  return {
    ask: async (question, signal) => {
      const answer = tail.then(async () => ask(question, signal));
      tail = answer.catch(() => undefined);
      return signal ? abortable(answer, signal) : answer;
    },
    close,
    retire: () => void tail.then(close),
  };
}

interface Running {
  ask(question: string): Promise<string>;
  kill(): void;
}

function start(options: SandboxOptions): Running {
  const child = (options.launch ?? launch)(options);
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref?(): void } | null)?.unref?.();
  // A process that ended closes its pipe: the reader says so.
  child.stdin?.on('error', () => undefined);
  const lines = lineReader(child);
  const send = (request: SandboxRequest): void => void child.stdin?.write(`${JSON.stringify(request)}\n`);
  for (const code of options.scripts()) send({ kind: 'script', code });
  return {
    ask: async (question) => {
      const { limitMs, heapMb = HEAP_MB } = options;
      let tooMuch: string | undefined;
      const stop = (reason: string): void => {
        tooMuch = reason;
        child.kill('SIGKILL');
      };
      const timer = setTimeout(() => stop('The engine took too long.'), limitMs);
      const watch = setInterval(() => {
        if (residentMb(child.pid) > heapMb + BESIDE_HEAP_MB) stop(OUT_OF_MEMORY);
      }, 200);
      try {
        send({ kind: 'ask', question, limitMs });
        return answerIn(await lines.next());
      } catch (error) {
        throw new Error(tooMuch ?? asError(error).message, { cause: error });
      } finally {
        clearTimeout(timer);
        clearInterval(watch);
      }
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

const HEAP_MB = 1024;
/** Code, templates and the runtime itself. */
const BESIDE_HEAP_MB = 512;
const OUT_OF_MEMORY = 'The engine needed too much memory.';

/** The process has no environment, one pipe each way, and no right that this runtime can withhold. */
function launch({ program, heapMb = HEAP_MB }: SandboxOptions): ChildProcess {
  const path = realpathSync(program);
  const flags = [
    // Code that got out of the realm finds a host in which no text becomes code.
    '--disallow-code-generation-from-strings',
    // Rejected promises of a model are ignored: its compilation has its own result.
    '--unhandled-rejections=none',
    '--no-deprecation',
    `--max-old-space-size=${heapMb}`,
    `--wasm-max-mem-pages=${TEMPLATE_PAGES}`,
    // Files, processes, threads, add-ons, and from Node 25 on the network.
    ...(process.allowedNodeEnvironmentFlags.has('--permission') ? ['--permission', `--allow-fs-read=${path}`] : []),
  ];
  // VS Code's own runtime is Electron, which acts as Node only when it is started so.
  const env = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return spawn(process.execPath, [...flags, path], {
    env,
    cwd: dirname(path),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
}

/** 256 MB, in pages of 64 KB. */
const TEMPLATE_PAGES = 4096;

function answerIn(line: string): string {
  const { answer } = JSON.parse(line) as SandboxResponse;
  if (typeof answer !== 'string') throw new Error('The engine gave no answer.');
  return answer;
}

/** The memory of a process, where the system shows it without starting another one. */
function residentMb(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
    return (Number(pages) * 4096) / (1024 * 1024);
  } catch {
    return 0;
  }
}

/** The lines that a process writes, one for each `next`; rejects when it ends instead. */
function lineReader(child: ChildProcess): { next(): Promise<string> } {
  let waiting: { readonly resolve: (line: string) => void; readonly reject: (error: Error) => void } | undefined;
  let ended: Error | undefined;
  let pending: Buffer[] = [];
  const end = (error: Error): void => {
    ended ??= error;
    waiting?.reject(ended);
    waiting = undefined;
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    pending.push(chunk);
    if (!chunk.includes(10)) return;
    const line = Buffer.concat(pending).toString();
    pending = [];
    waiting?.resolve(line);
    waiting = undefined;
  });
  child.on('error', end);
  child.on('close', (code, signal) => {
    const isMemory = signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134;
    end(new Error(isMemory ? OUT_OF_MEMORY : 'The engine stopped.'));
  });
  return {
    next: async () =>
      new Promise((resolve, reject) => {
        if (ended) reject(ended);
        else waiting = { resolve, reject };
      }),
  };
}
