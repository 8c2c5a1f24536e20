import { decodedText } from '#base/decoded-text.ts';
import { isObject } from '#api/schema.ts';

/** Whether a text has the shape of a signed JWT: three sections, the first two of them JSON objects. */
export function isJwt(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 3 && parts.slice(0, 2).every((part) => isObject(decoded(part)));
}

/** Returns when a JWT expires, in milliseconds since the epoch; `undefined` if it has no expiry. */
export function expiryOf(token: string): number | undefined {
  const claims = decoded(token.split('.')[1] ?? '');
  const seconds = isObject(claims) ? claims['exp'] : undefined;
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/**
 * Resolves to a JWT with these claims, signed with HS256 and a deployment’s API secret. Two tokens with the same claims differ,
 * because each has its own id.
 */
export async function signedJwt(
  secret: string,
  claims: Readonly<Record<string, unknown>>,
  { now, lifetimeMs }: { readonly now: number; readonly lifetimeMs: number },
): Promise<string> {
  const times = { iat: Math.floor(now / 1000), exp: Math.floor((now + lifetimeMs) / 1000) };
  const head = encoded(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));
  const body = encoded(JSON.stringify({ ...claims, ...times, jti: crypto.randomUUID() }));
  const text = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, text.encode(`${head}.${body}`));
  return `${head}.${body}.${base64url(new Uint8Array(signature))}`;
}

function encoded(text: string): string {
  return base64url(new TextEncoder().encode(text));
}

function base64url(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function decoded(part: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    return JSON.parse(decodedText(bytes));
  } catch {
    return undefined;
  }
}
