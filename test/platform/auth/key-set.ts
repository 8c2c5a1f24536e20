import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { isSecure } from '#api/secure-url.ts';

/** Where a deployment's identity provider publishes its public keys, and what its tokens must say (docs/chat.md#credentials). */
export interface KeySetSettings {
  readonly url: string;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

type Algorithm = 'RS256' | 'ES256';

interface PublicKey {
  readonly id: string | undefined;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
}

const keptMs = 5 * 60_000;
const giveUpMs = 3000;

/** Key sets (JWKS, RFC 7517) by address; kept for five minutes, and read again for a key they do not name. */
export class KeySets {
  readonly #sets = new Map<string, { readonly at: number; readonly keys: readonly PublicKey[] }>();

  /** Whether one of the published keys signed this; never with a secret, whatever the token says of itself. */
  async verifies(url: string, token: SignedParts, now: number): Promise<boolean> {
    const known = this.#sets.get(url);
    const isFresh = known !== undefined && now - known.at < keptMs;
    if (isFresh && known.keys.some((key) => signed(key, token))) return true;
    if (isFresh && known.keys.some(({ id }) => id !== undefined && id === token.keyId)) return false;
    const keys = await readKeys(url);
    if (keys === undefined) return false;
    this.#sets.set(url, { at: now, keys });
    return keys.some((key) => signed(key, token));
  }
}

export interface SignedParts {
  readonly algorithm: unknown;
  readonly keyId: unknown;
  /** Head and body as they were signed. */
  readonly text: string;
  readonly signature: Uint8Array;
}

function signed({ id, algorithm, key }: PublicKey, token: SignedParts): boolean {
  if (token.algorithm !== algorithm || (id !== undefined && token.keyId !== undefined && id !== token.keyId))
    return false;
  const how = algorithm === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;
  return verify('sha256', Buffer.from(token.text), how, token.signature);
}

/** Undefined when the provider does not answer, or not with a key set. */
async function readKeys(address: string): Promise<readonly PublicKey[] | undefined> {
  try {
    const url = new URL(address);
    if (!isSecure(url)) return undefined;
    const response = await fetch(url, { signal: AbortSignal.timeout(giveUpMs), redirect: 'error' });
    const { keys } = (await response.json()) as { readonly keys: readonly JsonWebKey[] };
    return keys.flatMap((key) => publicKey(key));
  } catch {
    return undefined;
  }
}

function publicKey(jwk: JsonWebKey): PublicKey[] {
  const algorithm = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'EC' && jwk.crv === 'P-256' ? 'ES256' : undefined;
  if (algorithm === undefined) return [];
  const id = typeof jwk['kid'] === 'string' ? jwk['kid'] : undefined;
  return [{ id, algorithm, key: createPublicKey({ key: jwk, format: 'jwk' }) }];
}
