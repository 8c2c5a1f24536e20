import type { Account } from './accounts.ts';
import { checkSignIn } from './check-sign-in.ts';
import type { CliContext } from './cli-contexts.ts';
import { type NewKeyPorts, withNewKey } from './new-key.ts';

/** A sign-in that the platform did not accept, and the reason as a sentence. */
export interface RefusedImport {
  readonly name: string;
  readonly reason: string;
}

/** Reports the progress of an import and cancels it. */
interface ImportProgress {
  readonly signal: AbortSignal;
  /** Called with the name of the sign-in that is tried next. */
  readonly onTry: (name: string) => void;
}

/**
 * Tries sign-ins of the platform's command-line client one after the other and stores those that work; returns the others. Throws
 * `PlatformError` of the kind `cancelled`; the sign-ins stored before that stay.
 */
export async function importSignIns(
  ports: NewKeyPorts,
  contexts: readonly CliContext[],
  { signal, onTry }: ImportProgress,
): Promise<readonly RefusedImport[]> {
  const refused: RefusedImport[] = [];
  for (const context of contexts) {
    onTry(context.name);
    const checked = await checkSignIn(ports.connectWith(context.tenantUrl, context.key), signal);
    if (checked.ok) await withNewKey(ports, remembered(ports, context));
    else refused.push({ name: context.name, reason: checked.error.message });
  }
  return refused;
}

function remembered({ accounts }: NewKeyPorts, { name, tenantUrl, key, refreshToken }: CliContext): Promise<Account> {
  if (refreshToken === undefined) return accounts.add(tenantUrl, key, name);
  return accounts.addTokens(tenantUrl, { accessToken: key, refreshToken, expiresAt: undefined }, name);
}

/** Whether the same sign-in was imported before, so that its key is replaced. */
export function isImported({ tenantUrl, name }: CliContext, accounts: readonly Account[]): boolean {
  return accounts.some((account) => account.tenantUrl === tenantUrl && account.label === name);
}
