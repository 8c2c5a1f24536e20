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
      (await connect().ask({ kind: 'compile', files, securityContext })) as CompileResult,
    sql: async (files, query, securityContext) =>
      (await connect().ask({ kind: 'sql', files, query, securityContext })) as SqlResult,
    close: async () => {
      closed = true;
      await connection?.close();
    },
  };
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Connection {
  ask(request: WithoutId<EngineRequest>): Promise<CompileResult | SqlResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: CompileResult | SqlResult) => void;
  readonly reject: (error: Error) => void;
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
    if (response.ok) entry?.resolve(response.value);
    else entry?.reject(new Error(response.message));
    // An idle engine must not keep the process alive.
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (error: unknown) => failAll(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => {
    failAll(new Error('The engine stopped.'));
    onExit();
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ ...request, id }, []);
      }),
    close: async () => {
      await worker.terminate();
    },
  };
}
