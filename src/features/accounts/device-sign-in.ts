import type { Client } from '#api/client/client.ts';
import { type DeviceCode, deviceSignIn } from '#api/resources/device-sign-in.ts';
import { isPlatformError } from '#api/errors.ts';
import { Hint } from '#shell/user-error.ts';
import type { Account, Accounts } from './accounts.ts';

export interface DeviceSignInPorts {
  readonly accounts: Accounts;
  readonly connectWith: (tenantUrl: string, key: string) => Client;
  /** Shows the code that the user enters in a browser. */
  readonly showCode: (code: DeviceCode) => void;
  readonly signal: AbortSignal;
}

/** Signs in with a code that the user enters in a browser (RFC 8628). Throws `UserError` if the platform does not offer this. */
export async function signInByDevice(
  { accounts, connectWith, showCode, signal }: DeviceSignInPorts,
  tenantUrl: string,
): Promise<Account> {
  try {
    const client = connectWith(tenantUrl, '');
    const tokens = await deviceSignIn(client, { clientId: 'modelbench', onCode: showCode, signal });
    return await accounts.addTokens(tenantUrl, tokens);
  } catch (error) {
    if (!isPlatformError(error, 'notFound') && !isPlatformError(error, 'invalidResponse')) throw error;
    throw new Hint('This platform has no sign-in with a browser. Use an API key from your account settings.');
  }
}
