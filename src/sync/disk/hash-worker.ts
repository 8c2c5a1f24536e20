import { parentPort, workerData } from 'node:worker_threads';
import { serveScans } from './serve-scans.ts';

// The program of the long-lived worker that scans one folder.
if (parentPort) serveScans(parentPort, (workerData as { readonly tableFile: string }).tableFile);
