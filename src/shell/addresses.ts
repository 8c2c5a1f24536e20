import type { DeviceCode } from '#api/device-sign-in.ts';
import { originOf } from '#base/origin.ts';
import { err, ok, type Result } from '#base/result.ts';

/** An address that may be opened in a browser. `url` is plain ASCII: hosts in punycode, everything else percent-encoded. */
export interface OpenableAddress {
  readonly url: string;
  readonly host: string;
  /** Whether it lies outside the tenant, so that the user is asked first. */
  readonly isForeign: boolean;
}

/**
 * Whether an address from outside may be opened: HTTPS only, unless it has the origin of the tenant, which may be this
 * machine. The error says what is wrong with it.
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
 * The one address of a browser sign-in, for showing, copying and opening. The complete one is used only where it is the
 * shown page with the code added.
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
