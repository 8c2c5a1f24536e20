import { passage, text } from '#base/user-text.ts';
import { hostOf } from '#features/accounts/accounts.ts';
import type { KeyOrigins, KeyOwner } from '#shell/key-origins.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** Checks whether the key of an account may be sent to the host of an address; asks once for each account and host. */
export async function confirmKeyHost(origins: KeyOrigins, owner: KeyOwner, address: string): Promise<boolean> {
  if (origins.mayReceive(owner, address)) return true;
  const host = hostOf(address);
  const send = text`Send Key to ${host}`;
  const answer = await vscode.window.showWarningMessage(
    text`Send the key of ${hostOf(owner.tenantUrl)} to ${host}?`,
    {
      modal: true,
      detail: passage(
        `Whoever runs that host can use your key, so send it only if the agent settings of ${hostOf(owner.tenantUrl)} show this address:\n\n${address}`,
      ),
    },
    send,
  );
  if (answer !== send) return false;
  await origins.confirm(owner, address);
  return true;
}
