import { PlatformError } from './errors.ts';

/** Whether a host name refers to this machine (RFC 6761 `localhost`, 127.0.0.0/8, ::1). */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host === 'localhost' || host.endsWith('.localhost') || /^127(?:\.\d{1,3}){3}$/.test(host) || host === '[::1]';
}

/** Whether a key may be sent to this address: HTTPS, or plain HTTP to this machine (docs/platform-api.md#addresses). */
export function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Parses an address; throws `insecure` if a key must not be sent there and `invalidRequest` if it is not an address. */
export function secureUrl(address: string, operation: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) {
    throw new PlatformError({
      kind: 'invalidRequest',
      operation,
      message: 'The address is not a URL. Check the tenant URL.',
    });
  }
  if (!isSecure(url)) {
    throw new PlatformError({
      kind: 'insecure',
      operation,
      message: `The address ${url.protocol}//${url.host} is not HTTPS, so nothing was sent. Use https:// (plain http is only for this machine).`,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new PlatformError({
      kind: 'insecure',
      operation,
      message:
        'The address holds a user name or password, so nothing was sent. Remove them; the key is kept elsewhere.',
    });
  }
  return url;
}
