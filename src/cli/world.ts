import type { ClientLimits } from '#api/client.ts';
import type { Variables } from '#tools/open-platform.ts';
import type { EnginePaths } from './compile-model.ts';

/** What the command line needs of its process. */
export interface World {
  /** The folder that it was started in. */
  readonly folder: string;
  /** Results only, so that another program can read them. */
  readonly stdout: (text: string) => void;
  /** Everything that is for a user: progress, errors and help about them. */
  readonly stderr: (text: string) => void;
  /** Whether a user watches, so that progress may replace itself. */
  readonly isInteractive: boolean;
  readonly signal: AbortSignal;
  /** Environment variables; only those with credentials are read. */
  readonly variables: Variables;
  /** Where the sync engine keeps what it knows of linked folders; `undefined` where the user has no home. */
  readonly state: string | undefined;
  /** The program that scans folders. */
  readonly hashWorker: string | URL;
  /** The platform's compiler. */
  readonly engine: EnginePaths;
  /** Instead of the process's own. */
  readonly fetch?: typeof globalThis.fetch;
  /** Of requests to the platform; the usual ones otherwise. */
  readonly limits?: Partial<ClientLimits>;
}

/** How a command ended: fine, with findings, called wrongly, or refused by the platform (docs/tools.md#exit-codes). */
export const exitCodes = { fine: 0, findings: 1, usage: 2, platform: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
