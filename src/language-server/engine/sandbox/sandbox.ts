import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { abortable, asError } from '#base/async.ts';
import type { SandboxRequest, SandboxResponse } from './messages.ts';

export interface SandboxOptions {
  /** The program of the process (`child.ts`, bundled). */
  readonly program: string;
  /** Returns the scripts that the realm evaluates before the first question; called when a process starts. */
  readonly scripts: () => readonly string[];
  /** The time limit of a question, in milliseconds: after it, the process is ended. */
  readonly limitMs: number;
  /** A process without a question is ended after this time, in milliseconds: it takes some 150 MB. */
  readonly idleMs: number;
  /** The limit of the realm's heap, in megabytes. */
  readonly heapMb?: number | undefined;
  /** Starts the process; the default withholds every permission from it. */
  readonly launch?: ((options: SandboxOptions) => ChildProcess) | undefined;
}

/** A realm in a process of its own, which gets and returns texts. */
export interface Sandbox {
  /**
   * Answers one question at a time. Rejects if the realm gave no answer; the next question then starts a new process. The signal
   * cancels only this question: running code does not notice it, so its process is ended.
   */
  ask(question: string, signal?: AbortSignal): Promise<string>;
  /** Ends the sandbox for good; pending questions reject. */
  close(): void;
  /** Ends the sandbox for good once every question has been answered. */
  retire(): void;
}

/**
 * Creates a sandbox whose process starts with its first task and ends when it is idle, too slow or retired. Tasks run one after
 * the other.
 */
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
  // A process that has ended closes its pipe; the reader reports that.
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
/** Memory for code, templates and the runtime itself. */
const BESIDE_HEAP_MB = 512;
const OUT_OF_MEMORY = 'The engine needed too much memory.';

/** Starts a process with no environment, one pipe each way, and without any permission that this runtime can withhold. */
function launch({ program, heapMb = HEAP_MB }: SandboxOptions): ChildProcess {
  const path = realpathSync(program);
  const flags = [
    // In the host, no text becomes code, even for code that escaped from the realm.
    '--disallow-code-generation-from-strings',
    // Rejected promises of a model are ignored: its compilation has its own result.
    '--unhandled-rejections=none',
    '--no-deprecation',
    `--max-old-space-size=${heapMb}`,
    `--wasm-max-mem-pages=${TEMPLATE_PAGES}`,
    // Withholds files, processes, threads, add-ons, and from Node 25 on the network.
    ...(process.allowedNodeEnvironmentFlags.has('--permission') ? ['--permission', `--allow-fs-read=${path}`] : []),
  ];
  // VS Code's own runtime is Electron, which acts as Node only with this variable.
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

/** Returns the memory of a process in megabytes, where the system shows it without starting another process. */
function residentMb(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
    return (Number(pages) * 4096) / (1024 * 1024);
  } catch {
    return 0;
  }
}

/** Reads the lines that a process writes, one for each `next`; rejects if the process ends instead. */
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
