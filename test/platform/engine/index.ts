import { Worker } from 'node:worker_threads';
import type {
  CompileResult,
  EngineRequest,
  EngineResponse,
  ModelFile,
  SecurityContext,
  SemanticQuery,
  SqlResult,
} from './types.ts';

export type * from './types.ts';

export interface Engine {
  /**
   * Compiles a data model. Compiling the same files again is free (the worker remembers the last models). With a security
   * context, the metadata holds only what the model's access policies let that context see.
   */
  compile(files: readonly ModelFile[], securityContext?: SecurityContext): Promise<CompileResult>;
  /** The SQL of one semantic query, access policies applied for the security context. */
  sql(files: readonly ModelFile[], query: SemanticQuery, securityContext?: SecurityContext): Promise<SqlResult>;
  /** Ends the worker; requests under way reject. */
  close(): Promise<void>;
}

/** One engine: a worker thread, started at the first request, that lives until `close` and serves requests in order. */
export function createEngine(): Engine {
  let connection: Connection | undefined;
  let closed = false;
  const connect = (): Connection => {
    if (closed) throw new Error('The engine is closed.');
    connection ??= startWorker(() => {
      connection = undefined;
    });
    return connection;
  };
  return {
    compile: async (files, securityContext) =>
      (await connect().ask({ kind: 'compile', securityContext }, files)) as CompileResult,
    sql: async (files, query, securityContext) =>
      (await connect().ask({ kind: 'sql', query, securityContext }, files)) as SqlResult,
    close: async () => {
      closed = true;
      await connection?.close();
    },
  };
}

type Question<T = EngineRequest> = T extends unknown ? Omit<T, 'id' | 'model' | 'files'> : never;

interface Connection {
  ask(question: Question, files: readonly ModelFile[]): Promise<CompileResult | SqlResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: CompileResult | SqlResult) => void;
  readonly reject: (error: Error) => void;
  /** Sends the request once more, with the model's files. */
  readonly sendAgain: () => void;
}

function startWorker(onExit: () => void): Connection {
  // The worker's own output is captured: the platform's stdout has a contract (its first line is JSON).
  const worker = new Worker(new URL('worker.ts', import.meta.url), {
    execArgv: [],
    env: { ...process.env, CUBEJS_TESSERACT_SQL_PLANNER: 'false', NO_COLOR: '1', FORCE_COLOR: '0' },
    stdout: true,
    stderr: true,
  });
  const waiting = new Map<number, Waiting>();
  let next = 0;
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (response: EngineResponse) => {
    const entry = waiting.get(response.id);
    waiting.delete(response.id);
    if (response.kind === 'answer') entry?.resolve(response.value);
    else if (response.kind === 'failure') entry?.reject(new Error(response.message));
    else entry?.sendAgain();
    // An idle engine must not keep the process alive.
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (error: unknown) => failAll(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => {
    failAll(new Error('The engine stopped.'));
    onExit();
  });
  // The same list of files is the same model: callers keep it for as long as the model does not change.
  const models = new WeakMap<readonly ModelFile[], number>();
  const send = (
    question: Question,
    files: readonly ModelFile[],
    withFiles: boolean,
  ): Promise<CompileResult | SqlResult> =>
    new Promise((resolve, reject) => {
      const known = models.get(files);
      const model = known ?? next++;
      models.set(files, model);
      const id = next++;
      const sendAgain = (): void => void send(question, files, true).then(resolve, reject);
      waiting.set(id, { resolve, reject, sendAgain });
      worker.ref();
      const attached = known === undefined || withFiles ? { files } : {};
      worker.postMessage({ ...question, ...attached, id, model }, []);
    });
  return {
    ask: (question, files) => send(question, files, false),
    close: async () => {
      await worker.terminate();
    },
  };
}
