/** A proxy between the extension and a server. */
export interface Proxy {
  /** Its host and port, without a user name or password. */
  readonly host: string;
  /** The setting or environment variable that names it. */
  readonly from: string;
}

/** The proxy settings of VS Code and the environment. */
export interface ProxySettings {
  /** VS Code's `http.proxy`. */
  readonly proxy?: string | undefined;
  /** VS Code's `http.noProxy`: domains that are requested directly. */
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the proxy that VS Code chooses for a request to this URL: the setting first, then the environment; none for
 * this machine. `undefined`: the request is direct, or the proxy's address is not a URL.
 */
export function proxyOf(target: URL, { proxy, noProxy = [], environment }: ProxySettings): Proxy | undefined {
  if (/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(target.hostname)) return undefined;
  const variables =
    target.protocol === 'https:'
      ? ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
      : ['HTTP_PROXY', 'http_proxy'];
  const named = variables.find((name) => isSet(environment[name]));
  const [address, from] = isSet(proxy) ? [proxy, 'http.proxy'] : [named && environment[named], named];
  if (!isSet(address) || from === undefined) return undefined;
  const excluded = [...noProxy, ...(environment['NO_PROXY'] ?? environment['no_proxy'] ?? '').split(',')];
  if (excluded.some((pattern) => isExcluded(target, pattern.trim()))) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^(?:https?|socks\w*):$/.test(url.protocol) ? { host: withPort(url), from } : undefined;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** Checks whether a pattern of `NO_PROXY` matches this host, with or without its port, a domain that contains it, or everything. */
function isExcluded(target: URL, pattern: string): boolean {
  if (pattern === '') return false;
  const domain = pattern.replace(/^\*?\.?/, '').toLowerCase();
  const names = [target.hostname, withPort(target)];
  return pattern === '*' || names.some((name) => name === domain || name.endsWith(`.${domain}`));
}

function withPort({ hostname, port, protocol }: URL): string {
  if (port !== '') return `${hostname}:${port}`;
  return `${hostname}:${usualPorts[protocol] ?? 1080}`;
}

/** The default ports by scheme; the other schemes that a proxy can have are those of SOCKS. */
const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
