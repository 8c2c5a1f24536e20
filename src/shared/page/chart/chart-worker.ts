import type { DrawRequest, DrawnPicture, WorkerMessage } from './messages.ts';

/** A started worker. */
export interface WorkerPort {
  readonly send: (request: DrawRequest) => void;
  readonly terminate: () => void;
}

/** A message from a worker; `died`: its code could not be loaded, or it ran out of memory. */
export type WorkerEvent = WorkerMessage | { readonly kind: 'died' };

/** Runs a function later; returns a function that cancels it. */
export type Later = (run: () => void, ms: number) => () => void;

/** How long drawing one chart may take once the worker's code is loaded, ms. */
export const MOST_MS = 10_000;

/** The chart was given up for good: another attempt would take as long. */
class ChartTimeout extends Error {
  override readonly name = 'ChartTimeout';
}

interface Job {
  readonly request: DrawRequest;
  readonly done: PromiseWithResolvers<DrawnPicture>;
}

/**
 * Draws charts one after the other in a worker, with a time limit for each: a chart that exceeds it ends the worker, and the next
 * chart gets a new one. The page itself never blocks.
 */
export class ChartWorker {
  readonly #create: (hear: (event: WorkerEvent) => void) => WorkerPort;
  readonly #later: Later;
  readonly #waiting: Job[] = [];
  #worker: Promise<WorkerPort> | undefined;
  #isBusy = false;
  #hear: (event: WorkerEvent) => void = () => undefined;

  constructor(create: (hear: (event: WorkerEvent) => void) => WorkerPort, later: Later) {
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
    return new Promise((resolve, reject) => {
      this.#hear = ({ kind }) => {
        if (kind !== 'died') return resolve(worker);
        this.#end(worker);
        reject(new Error('The chart module of Modelbench could not be loaded.'));
      };
      const worker = this.#create((event) => this.#hear(event));
    });
  }

  #drawn(worker: WorkerPort, request: DrawRequest): Promise<DrawnPicture> {
    return new Promise((resolve, reject) => {
      const giveUp = (reason: string): void => {
        this.#end(worker);
        reject(new ChartTimeout(reason));
      };
      const cancel = this.#later(() => giveUp(`It took longer than ${MOST_MS / 1000} seconds.`), MOST_MS);
      this.#hear = (event) => {
        cancel();
        if (event.kind === 'drawn') resolve(event.picture);
        else if (event.kind === 'failed') reject(new Error(event.reason));
        else giveUp('It needs more memory than a chart may use.');
      };
      worker.send(request);
    });
  }

  #end(worker: WorkerPort): void {
    this.#worker = undefined;
    this.#hear = () => undefined;
    worker.terminate();
  }
}
