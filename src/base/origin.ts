declare const isOrigin: unique symbol;

/** Scheme, host and port of an address: what a key is bound to. Only `originOf` makes one. */
export type Origin = string & { readonly [isOrigin]: true };

/** The origin of an address; nothing for what has none. */
export function originOf(address: string | URL | undefined): Origin | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  // Others borrow an origin (`blob:`) or have none.
  return url && ['https:', 'http:'].includes(url.protocol) ? (url.origin as Origin) : undefined;
}
