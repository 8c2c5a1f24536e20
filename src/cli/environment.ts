import type { ClientLimits } from '#api/client/client.ts';
import type { Variables } from '#tools/platform/open-platform.ts';
import type { EnginePaths } from './compile-model.ts';
import type { SyncPaths } from './open-sync.ts';

/** What the command line needs from its process. */
export interface CliEnvironment {
  /** The folder in which it was started. */
  readonly folder: string;
  /** Results only, so that another program can read them. */
  readonly stdout: (text: string) => void;
  /** Everything for a user: progress, errors and help about them. */
  readonly stderr: (text: string) => void;
  /** Whether a user watches, so that progress may replace itself. */
  readonly isInteractive: boolean;
  readonly signal: AbortSignal;
  /** Environment variables; only those with credentials are read. */
  readonly variables: Variables;
  /** Where the sync engine stores the state of linked folders; `undefined` if the user has no home. */
  readonly state: string | undefined;
  /** The program that scans folders. */
  readonly hashWorker: SyncPaths['hashWorker'];
  /** The platform's compiler. */
  readonly engine: EnginePaths;
  /** Replaces the process's own. */
  readonly fetch?: typeof globalThis.fetch;
  /** Limits of requests to the platform; the defaults if absent. */
  readonly limits?: Partial<ClientLimits>;
}

/** The result of a command: fine, with findings, called wrongly, or refused by the platform (docs/tools.md#exit-codes). */
export const exitCodes = { fine: 0, findings: 1, usage: 2, platform: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
