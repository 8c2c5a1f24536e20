import type { WorkerEvent, WorkerPort } from './chart-worker.ts';
import type { WorkerMessage } from './messages.ts';

/** Starts a worker from its code: pages cannot load one from an address. `hear` gets what it reports, and its death. */
export function startedWorker(code: string, hear: (event: WorkerEvent) => void): WorkerPort {
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const own = new Worker(address);
  /** The worker has read its code, or never will: without this, each worker's code would stay in memory. */
  const forget = (): void => URL.revokeObjectURL(address);
  own.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.kind === 'ready') forget();
    hear(data);
  });
  own.addEventListener('error', () => {
    forget();
    hear({ kind: 'died' });
  });
  return {
    send: (request) => own.postMessage(request),
    terminate: () => own.terminate(),
  };
}
