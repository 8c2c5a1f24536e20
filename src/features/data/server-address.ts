import { isLoopback, isSecure } from '#api/secure-url.ts';
import { err, ok, type Result } from '#base/result.ts';

/** Where Cube Core answers in development, without being configured. */
export const localServer = 'http://localhost:4000/cubejs-api/v1';

/** The data API of a Cube Core server, unless its address says otherwise. */
const usualPath = '/cubejs-api/v1';

/**
 * Reads what a user types as the address of a Cube Core server, as the base address of its data API. Without a scheme it is
 * `https://`, or `http://` on this machine; plain HTTP goes to this machine only. The error says what to type.
 */
export function parseServerAddress(typed: string): Result<string, string> {
  const text = typed.trim();
  const withScheme = /^[a-z][a-z+.-]*:\/\//i.test(text) ? text : `${isLocal(text) ? 'http' : 'https'}://${text}`;
  if (text === '' || /\s/.test(text) || !URL.canParse(withScheme)) return err(example);
  const url = new URL(withScheme);
  if (!['https:', 'http:'].includes(url.protocol) || url.hostname === '') return err(example);
  if (!isSecure(url)) return err('Plain http:// works only for a server on this machine. Use https://.');
  if (url.username !== '' || url.password !== '') return err('Remove the user name and password from the address.');
  const path = url.pathname.replace(/\/+$/, '');
  return ok(`${url.origin}${path === '' ? usualPath : path}`);
}

const example = 'Enter an address such as http://localhost:4000 or https://cube.example.com.';

function isLocal(text: string): boolean {
  const address = `http://${text}`;
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}
