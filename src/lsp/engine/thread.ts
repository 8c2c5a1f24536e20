import { Worker } from 'node:worker_threads';
import type { Engine } from '../host.ts';
import type { EngineAnswer, EngineError, EngineFile, EngineRequest } from './messages.ts';

export interface EngineOptions {
  /** The engine's bundle. */
  readonly bundle: string;
  /** A compilation that takes longer is given up and its thread ended, in milliseconds. */
  readonly limitMs?: number | undefined;
  /** A thread without work is ended after this time: it holds some 150 MB. */
  readonly idleMs?: number | undefined;
}

interface Waiting {
  readonly resolve: (errors: readonly EngineError[]) => void;
  readonly reject: (error: Error) => void;
}

/** The engine in a thread of its own: started with the first question, started again after it died. */
export function engineThread({ bundle, limitMs = 60_000, idleMs = 5 * 60_000 }: EngineOptions): Engine {
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let next = 0;
  const waiting = new Map<number, Waiting>();

  const end = (reason: string): void => {
    clearTimeout(timer);
    const ended = worker;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
    void ended?.terminate();
  };
  const rest = (): void => {
    clearTimeout(timer);
    if (waiting.size > 0) timer = setTimeout(() => end('The engine took too long.'), limitMs);
    else timer = setTimeout(() => end('idle'), idleMs);
    timer.unref();
  };
  const start = (): Worker => {
    // The other query planner of the engine is native code.
    const env = { ...process.env, CUBEJS_TESSERACT_SQL_PLANNER: 'false' };
    const started = new Worker(bundle, { env, execArgv: [], stdout: true, stderr: true });
    started.on('message', (answer: EngineAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.ok) asked?.resolve(answer.errors);
      else asked?.reject(new Error(answer.reason));
      rest();
    });
    const died = (error?: unknown): void => {
      if (worker === started) end(error instanceof Error ? error.message : 'The engine stopped.');
    };
    started.on('error', died);
    started.on('exit', () => died());
    started.unref();
    return started;
  };
  return {
    canCompile: (root) => root.startsWith('file:'),
    check: async (files: readonly EngineFile[]) =>
      new Promise((resolve, reject) => {
        worker ??= start();
        const id = next++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, files } satisfies EngineRequest, []);
        rest();
      }),
  };
}
