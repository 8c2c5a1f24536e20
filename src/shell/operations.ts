import { Hint } from './user-error.ts';

/** The context of a running operation: cancellation and progress. */
export interface OperationContext {
  readonly signal: AbortSignal;
  /** `fraction` of the whole, 0…1, if known. */
  readonly report: (message: string, fraction?: number) => void;
}

/** An operation that changes the platform or the folder, as data. */
export interface OperationSpec<T> {
  /** The label for the progress, in sentence case: `Committing dev-anna-1`. */
  readonly label: string;
  /** The branch or folder; only one operation at a time runs for each key. */
  readonly key: string;
  readonly cancellable?: boolean;
  readonly run: (context: OperationContext) => Promise<T>;
}

/** Runs work and shows its progress. */
export type ShowProgress = <T>(
  label: string,
  cancellable: boolean,
  work: (context: OperationContext) => Promise<T>,
) => Promise<T>;

/** Runs operations with progress and cancellation, one at a time for each key. */
export class Operations {
  readonly #show: ShowProgress;
  readonly #running = new Map<string, OperationSpec<unknown>>();

  constructor(show: ShowProgress) {
    this.#show = show;
  }

  /** Runs an operation. Rejects with a `Hint` if the key is busy, otherwise with whatever the work throws. */
  async run<T>(spec: OperationSpec<T>): Promise<T> {
    const busy = this.#running.get(spec.key);
    if (busy) {
      const orCancel = busy.cancellable === true ? ', or cancel it,' : '';
      throw new Hint(`“${busy.label}” is still running. Wait for it${orCancel} and try again.`);
    }
    this.#running.set(spec.key, spec);
    try {
      return await this.#show(spec.label, spec.cancellable ?? false, spec.run);
    } finally {
      this.#running.delete(spec.key);
    }
  }
}
