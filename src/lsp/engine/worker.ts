import { parentPort } from 'node:worker_threads';
import { compile } from './compile.ts';
import type { EngineAnswer, EngineRequest } from './messages.ts';

/** The engine's thread: one compilation after the other, so that they never share half-built state. */
const port = parentPort;
if (!port) throw new Error('The engine runs as a worker thread of the language server.');

let tail: Promise<void> = Promise.resolve();
port.on('message', (request: EngineRequest) => {
  tail = tail.then(async () => port.postMessage(await answer(request)));
});

async function answer({ id, files }: EngineRequest): Promise<EngineAnswer> {
  try {
    return { id, ok: true, errors: await compile(files) };
  } catch (error) {
    return { id, ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
