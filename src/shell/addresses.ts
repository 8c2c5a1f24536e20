import type { DeviceCode } from '#api/resources/device-sign-in.ts';
import { originOf } from '#base/origin.ts';
import { err, ok, type Result } from '#base/result.ts';

/** An address that may be opened in a browser. `url` is plain ASCII: hosts in punycode, everything else percent-encoded. */
export interface OpenableAddress {
  readonly url: string;
  readonly host: string;
  /** Whether the address lies outside the tenant, so that the user is asked first. */
  readonly isForeign: boolean;
}

/**
 * Checks whether an address from outside may be opened: only HTTPS is accepted, unless the address has the origin of the tenant,
 * which may be this machine. The error explains what is wrong with the address.
 */
export function openableAddress(address: string, tenantUrl: string | undefined): Result<OpenableAddress, string> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return err('The platform gave an address that is not a web address, so it was not opened.');
  const isForeign = originOf(address) === undefined || originOf(address) !== originOf(tenantUrl);
  if (isForeign && url.protocol !== 'https:') {
    return err(`Only https:// addresses are opened. This one starts with “${url.protocol}”, so it was not opened.`);
  }
  if (url.username !== '' || url.password !== '') {
    return err(`The address holds a user name or password in front of “${url.host}”, so it was not opened.`);
  }
  return ok({ url: url.href, host: url.host, isForeign });
}

/**
 * Returns the address of a browser sign-in that is shown, copied and opened. The complete address is used only if it is the shown
 * page plus the code.
 */
export function deviceAddress({ userCode, verificationUri, verificationUriComplete }: DeviceCode): string {
  const complete = verificationUriComplete;
  return complete !== undefined && isPageWithCode(verificationUri, complete, userCode) ? complete : verificationUri;
}

function isPageWithCode(page: string, complete: string, code: string): boolean {
  if (!URL.canParse(page) || !URL.canParse(complete)) return false;
  const [base, full] = [new URL(page), new URL(complete)];
  if (base.origin === 'null' || full.username !== '' || full.password !== '') return false;
  for (const [name, value] of [...full.searchParams]) if (value === code) full.searchParams.delete(name, value);
  return full.href === base.href;
}
