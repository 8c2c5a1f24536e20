/** What a request says about where it was sent and from which page. */
export interface Addressed {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Why a request to a server on this port of the loopback interface is refused; undefined: it is served. A web page whose
 * name was pointed at 127.0.0.1 (DNS rebinding) sends its own name as `Host`; a page elsewhere sends its `Origin`.
 */
export function foreignAddress({ host, origin }: Addressed, port: number): string | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`);
  if (host === undefined || !own.includes(host.toLowerCase())) {
    return `This server answers only to ${own.join(', ')}.`;
  }
  if (origin === undefined || own.some((each) => origin === `http://${each}`)) return undefined;
  return 'This server does not answer to pages of other origins.';
}
