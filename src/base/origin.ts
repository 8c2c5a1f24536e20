declare const isOrigin: unique symbol;

/** Scheme, host and port of an address: the origin that a key is bound to. Only `originOf` creates one. */
export type Origin = string & { readonly [isOrigin]: true };

/** Returns the origin of an HTTP or HTTPS address, and `undefined` for any other. */
export function originOf(address: string | URL | undefined): Origin | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  // Other schemes borrow an origin (`blob:`) or have none.
  return url && ['https:', 'http:'].includes(url.protocol) ? (url.origin as Origin) : undefined;
}
