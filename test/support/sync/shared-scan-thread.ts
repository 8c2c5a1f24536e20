import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ScanThread } from '#sync/disk/scanner.ts';
import { oncePerWorker } from '../once-per-worker.ts';

/**
 * Starts the scans of a folder in the one thread that all tests of a vitest worker share: with a thread of its own, most of what
 * such a test costs would be the start of that. `scanner.test.ts` and `real-disk.test.ts` have real workers.
 */
export function sharedScanThread(tableFile: string): ScanThread {
  const { port1, port2 } = new MessageChannel();
  oncePerWorker('scan host', startHost).postMessage({ port: port2, tableFile }, [port2]);
  return threadOf(port1);
}

function startHost(): Worker {
  const host = new Worker(new URL('scan-host.ts', import.meta.url));
  host.unref();
  return host;
}

type Listener = (value: never) => void;

/** A port that the other side closes, also because its thread ended, is a thread that ended. */
function threadOf(port: MessagePort): ScanThread {
  const nameOf = (event: string): string => (event === 'exit' ? 'close' : event);
  return {
    postMessage: (request) => port.postMessage(request),
    on: (event: string, listener: Listener) => port.on(nameOf(event), listener as () => void),
    off: (event: string, listener: Listener) => port.off(nameOf(event), listener as () => void),
    ref: () => port.ref(),
    unref: () => port.unref(),
    terminate: () => Promise.resolve(port.close()),
  };
}
