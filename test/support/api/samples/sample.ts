/** A key that must appear in no log and no error. */
export const canary = 'sk-canary-7f3a9c1e';

/** One valid request and one documented response of an operation, for the table-driven tests. */
export interface Sample {
  readonly request: {
    readonly params?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly body?: unknown;
  };
  /** The documented response; absent if it has no body. */
  readonly answer?: unknown;
  /** Path of a field without which the response cannot be used. */
  readonly needed?: string;
}
