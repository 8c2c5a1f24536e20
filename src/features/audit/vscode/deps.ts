import type { PlatformData } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { ShowResults } from '#shell/shown-query.ts';

/** The dependencies of reading an account's audit log. */
export interface AuditDeps {
  readonly data: PlatformData;
  readonly accounts: { get(accountId: string): { readonly label: string } | undefined };
  readonly operations: Operations;
  readonly showResults: ShowResults;
}
