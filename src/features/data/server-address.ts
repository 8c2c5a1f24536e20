import { isLoopback, isSecure } from '#api/secure-url.ts';
import { err, ok, type Result } from '#base/result.ts';

/** The default address of Cube Core in development. */
export const localServer = 'http://localhost:4000/cubejs-api/v1';

/** The path of a Cube Core server's data API, unless its address contains another one. */
export const usualPath = '/cubejs-api/v1';

/**
 * Parses the user's input as the address of a Cube Core server; returns the base address of its data API. Without a scheme it is
 * `https://`, or `http://` for this machine; plain HTTP is allowed for this machine only. The error gives the expected format.
 */
export function parseServerAddress(typed: string): Result<string, string> {
  const text = typed.trim();
  const withScheme = /^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `${isLocal(text) ? 'http' : 'https'}://${text}`;
  if (text === '' || /\s/.test(text) || !URL.canParse(withScheme)) return err(example);
  const url = new URL(withScheme);
  if (!['https:', 'http:'].includes(url.protocol) || url.hostname === '') return err(example);
  if (!isSecure(url)) return err('Plain http:// works only for a server on this machine. Use https://.');
  if (url.username !== '' || url.password !== '') return err('Remove the user name and password from the address.');
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  return ok(`${url.origin}${path === '' ? usualPath : path}`);
}

/**
 * Returns the base addresses that an address may stand for: it may lack its end, as it does where a server has a base path of its
 * own, or be that of a request. The most likely one comes first.
 */
export function possibleAddresses(restUrl: string): readonly string[] {
  const base = restUrl.replace(/\/(?:load|meta|sql|cubesql|dry-run)$/, '');
  return base.endsWith('/v1') ? [base] : [base, `${base}/v1`, `${base}${usualPath}`];
}

const example = 'Enter an address such as http://localhost:4000 or https://cube.example.com.';

function isLocal(text: string): boolean {
  const address = `http://${text}`;
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}
