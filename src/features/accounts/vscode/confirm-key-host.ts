import { passage, text } from '#base/user-text.ts';
import { hostOf } from '#features/accounts/accounts.ts';
import type { KeyOrigins, KeyOwner } from '#shell/key-origins.ts';
import { confirmed } from '#shell/vscode/questions.ts';

/** Checks whether the key of an account may be sent to the host of an address; asks once for each account and host. */
export async function confirmKeyHost(origins: KeyOrigins, owner: KeyOwner, address: string): Promise<boolean> {
  if (origins.mayReceive(owner, address)) return true;
  const host = hostOf(address);
  const isConfirmed = await confirmed(
    text`Send the key of ${hostOf(owner.tenantUrl)} to ${host}?`,
    text`Send Key to ${host}`,
    passage(
      `Whoever runs that host can use your key, so send it only if the agent settings of ${hostOf(owner.tenantUrl)} show this address:\n\n${address}`,
    ),
  );
  if (!isConfirmed) return false;
  await origins.confirm(owner, address);
  return true;
}
