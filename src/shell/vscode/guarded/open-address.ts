import * as raw from 'vscode';
import { passage, text } from '#base/user-text.ts';
import { openableAddress } from '#shell/addresses.ts';
import { UserError } from '#shell/user-error.ts';
import { window } from './window.ts';

const open = text`Open`;
const copy = text`Copy Address`;

/**
 * Opens an address in the browser: without asking if it has the tenant's origin, otherwise after a question that shows the full
 * address. Resolves to whether it was opened; throws `UserError` if the address may not be opened at all.
 */
export async function openAddress(address: string, tenantUrl: string | undefined): Promise<boolean> {
  const openable = openableAddress(address, tenantUrl);
  if (!openable.ok) throw new UserError(openable.error);
  const { url, host, isForeign } = openable.value;
  if (isForeign) {
    const answer = await window.showWarningMessage(
      text`Open a page on ${host}?`,
      { modal: true, detail: passage(`${url}\n\nIt is not part of your platform. Open it only if you trust ${host}.`) },
      open,
      copy,
    );
    if (answer === copy) await raw.env.clipboard.writeText(url);
    if (answer !== open) return false;
  }
  // Passed as text because a `Uri` would be encoded again: the address that opens is the one that was shown.
  return raw.env.openExternal(url as unknown as raw.Uri);
}
