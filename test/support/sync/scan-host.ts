// The program of the thread in which `sharedScanThread` scans: many folders, each over a port of its own.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { serveScans } from '#sync/disk/serve-scans.ts';

parentPort?.on('message', ({ port, tableFile }: { readonly port: MessagePort; readonly tableFile: string }) =>
  serveScans(port, tableFile),
);
