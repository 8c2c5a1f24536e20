import './worker-canvas.ts';
import { asError } from '#base/async.ts';
import type { DrawRequest, WorkerMessage } from './messages.ts';
import { render } from './render.ts';

/** The members of a worker's global scope that are used here. */
declare const self: {
  postMessage(message: WorkerMessage): void;
  addEventListener(type: 'message', listener: (event: { readonly data: DrawRequest }) => void): void;
};

const post = (message: WorkerMessage): void => self.postMessage(message);

self.addEventListener('message', ({ data }) => {
  render(data).then(
    (picture) => post({ kind: 'drawn', picture }),
    (error: unknown) => post({ kind: 'failed', reason: asError(error).message.slice(0, 300) }),
  );
});
post({ kind: 'ready' });
