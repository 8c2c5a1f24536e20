/** The fields of a lock file that are read. */
export interface Lock {
  readonly packages?: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly optional?: boolean;
        readonly devOptional?: boolean;
        readonly link?: boolean;
      }
    >
  >;
}

export function whatIsMissing(lock: Lock, installed: Lock | undefined): string | undefined;
export function machinePath(path: string): string;
