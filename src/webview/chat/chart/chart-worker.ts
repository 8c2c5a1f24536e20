import type { DrawRequest, DrawnPicture, WorkerMessage } from './messages.ts';

/** What of a worker is used here. */
export interface WorkerPort {
  onmessage: ((event: { readonly data: WorkerMessage }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(request: DrawRequest): void;
  terminate(): void;
}

/** Runs something later, unless it is cancelled. */
export type Later = (run: () => void, ms: number) => () => void;

/** How long one chart may take, from when its code is loaded. */
export const MOST_MS = 10_000;

/** A chart was given up for good: it would take as long the next time. */
export class ChartTimeout extends Error {
  override readonly name = 'ChartTimeout';
}

interface Job {
  readonly request: DrawRequest;
  readonly done: PromiseWithResolvers<DrawnPicture>;
}

/**
 * Draws charts one after the other in a worker, each within its time: a chart that takes longer ends the worker, and the
 * next one gets a new one. The page itself never waits.
 */
export class ChartWorker {
  readonly #create: () => WorkerPort;
  readonly #later: Later;
  readonly #waiting: Job[] = [];
  #worker: Promise<WorkerPort> | undefined;
  #isBusy = false;

  constructor(create: () => WorkerPort, later: Later) {
    this.#create = create;
    this.#later = later;
  }

  draw(request: DrawRequest): Promise<DrawnPicture> {
    const job: Job = { request, done: Promise.withResolvers<DrawnPicture>() };
    this.#waiting.push(job);
    if (!this.#isBusy) void this.#work();
    return job.done.promise;
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) await this.#run(job);
    this.#isBusy = false;
  }

  async #run({ request, done }: Job): Promise<void> {
    try {
      this.#worker ??= this.#start();
      done.resolve(await this.#drawn(await this.#worker, request));
    } catch (error) {
      done.reject(error);
    }
  }

  /** Resolves when the worker's code is loaded. */
  #start(): Promise<WorkerPort> {
    const worker = this.#create();
    return new Promise((resolve, reject) => {
      worker.onmessage = () => resolve(worker);
      worker.onerror = () => {
        this.#end(worker);
        reject(new Error('The part of Modelbench that draws charts could not be loaded.'));
      };
    });
  }

  #drawn(worker: WorkerPort, request: DrawRequest): Promise<DrawnPicture> {
    return new Promise((resolve, reject) => {
      const cancel = this.#later(() => {
        this.#end(worker);
        reject(new ChartTimeout(`It took longer than ${MOST_MS / 1000} seconds.`));
      }, MOST_MS);
      worker.onmessage = ({ data }) => {
        cancel();
        if (data.kind === 'drawn') resolve(data.picture);
        else reject(new Error(data.kind === 'failed' ? data.reason : 'It could not be drawn.'));
      };
      // Out of memory, for example.
      worker.onerror = () => {
        cancel();
        this.#end(worker);
        reject(new ChartTimeout('It needs more memory than there is for a chart.'));
      };
      worker.postMessage(request);
    });
  }

  #end(worker: WorkerPort): void {
    this.#worker = undefined;
    worker.terminate();
  }
}
