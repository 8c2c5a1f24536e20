/** A key that must appear in no log and no error. */
export const canary = 'sk-canary-7f3a9c1e';

/** One valid request and one documented answer per operation: what the table-driven tests send and answer with. */
export interface Sample {
  readonly request: {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
  /** The documented answer; missing where there is no body. */
  readonly answer?: unknown;
  /** A field of the answer without which it cannot be used, as a path. */
  readonly needed?: string;
}
