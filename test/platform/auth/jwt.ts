import { createHmac, timingSafeEqual } from 'node:crypto';

export type Claims = Readonly<Record<string, unknown>>;

/** Signs claims as a compact JWT (HS256). */
export function signJwt(claims: Claims, secret: string): string {
  const head = encode({ alg: 'HS256', typ: 'JWT' });
  const body = encode(claims);
  return `${head}.${body}.${mac(`${head}.${body}`, secret).toString('base64url')}`;
}

/**
 * The claims of a JWT, or `undefined` when it is malformed, not HS256, signed with another secret, expired or not
 * yet valid.
 * @param now milliseconds since the epoch
 */
export function verifyJwt(token: string, secret: string, now: number): Claims | undefined {
  const [head, body, signature, ...rest] = token.split('.');
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = mac(`${head}.${body}`, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims = decodePart(body);
  if (decodePart(head)?.['alg'] !== 'HS256' || claims === undefined) return undefined;
  return isTimely(claims, now) ? claims : undefined;
}

/** Whether a token is neither expired nor not yet valid at `now` (milliseconds since the epoch). */
export function isTimely({ exp, nbf }: Claims, now: number): boolean {
  return !(typeof exp === 'number' && exp * 1000 <= now) && !(typeof nbf === 'number' && nbf * 1000 > now);
}

const mac = (text: string, secret: string): Buffer => createHmac('sha256', secret).update(text).digest();
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Head or body of a token; undefined when it is not JSON object. */
export function decodePart(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}
