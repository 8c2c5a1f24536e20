import { Hint } from './user-error.ts';

/** What a running operation can do: stop early, and say how far it is. */
export interface OperationContext {
  readonly signal: AbortSignal;
  /** `fraction` of the whole, 0…1, where it is known. */
  readonly report: (message: string, fraction?: number) => void;
}

/** Something that changes the platform or the folder, as data (architecture, rule 6). */
export interface OperationSpec<T> {
  /** Sentence case, as the progress shows it: `Committing dev-anna-1`. */
  readonly label: string;
  /** Only one operation at a time for each key: the branch's or the folder's. */
  readonly key: string;
  readonly cancellable?: boolean;
  readonly run: (context: OperationContext) => Promise<T>;
}

/** How a host shows progress. */
export type ShowProgress = <T>(
  label: string,
  cancellable: boolean,
  work: (context: OperationContext) => Promise<T>,
) => Promise<T>;

/** Runs operations: progress, cancellation, one at a time for each key. */
export class Operations {
  readonly #show: ShowProgress;
  readonly #running = new Map<string, string>();

  constructor(show: ShowProgress) {
    this.#show = show;
  }

  /** Rejects with a `UserError` when the key is busy; otherwise with whatever the work throws. */
  async run<T>(spec: OperationSpec<T>): Promise<T> {
    const busy = this.#running.get(spec.key);
    if (busy !== undefined) throw new Hint(`“${busy}” is still running. Wait for it, or cancel it, and try again.`);
    this.#running.set(spec.key, spec.label);
    try {
      return await this.#show(spec.label, spec.cancellable ?? false, spec.run);
    } finally {
      this.#running.delete(spec.key);
    }
  }
}
