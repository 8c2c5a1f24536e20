import { isLoopback } from '#api/secure-url.ts';
import { parseTenantUrl } from '#api/tenant-url.ts';
import { type Account, hostOf } from './accounts.ts';
import { originOf } from '#base/origin.ts';

/** A tenant that is offered for signing in, and where the suggestion comes from. */
export type TenantSuggestion =
  /** The user signed in there before. */
  | { readonly from: 'account'; readonly tenantUrl: string }
  /** `modelbench.json` of a folder, which came with a repository. */
  | { readonly from: 'folder'; readonly tenantUrl: string; readonly folder: string }
  /** A link from another program or a web page. */
  | { readonly from: 'link'; readonly tenantUrl: string };

/**
 * Returns the address to fill in, reduced to its host. In Restricted Mode, only an address of the user's own accounts is filled
 * in.
 */
export function prefilledTenant(suggestion: TenantSuggestion | undefined, isTrusted: boolean): string | undefined {
  if (!suggestion || (!isTrusted && suggestion.from !== 'account')) return undefined;
  const address = parseTenantUrl(suggestion.tenantUrl);
  return address.ok ? address.value.baseUrl : undefined;
}

/** Returns who suggested an address, for the input that shows it; `undefined` for the user's own addresses. */
export function suggestedBy(suggestion: TenantSuggestion | undefined): string | undefined {
  switch (suggestion?.from) {
    case 'folder':
      return `modelbench.json of “${suggestion.folder}”`;
    case 'link':
      return 'the link that you opened';
    default:
      return undefined;
  }
}

/**
 * Returns the host that the user must confirm before anything is sent to it: one that a folder or a link suggested and where the
 * user has no account. An address that the user typed needs no confirmation, and neither does this machine.
 */
export function hostToConfirm(
  tenantUrl: string,
  suggestion: TenantSuggestion | undefined,
  accounts: readonly Pick<Account, 'tenantUrl'>[],
): string | undefined {
  const origin = originOf(tenantUrl);
  if (suggestedBy(suggestion) === undefined || origin !== originOf(suggestion?.tenantUrl)) return undefined;
  if (isLoopback(new URL(tenantUrl).hostname)) return undefined;
  return accounts.some((account) => originOf(account.tenantUrl) === origin) ? undefined : hostOf(tenantUrl);
}
