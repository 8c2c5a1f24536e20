import { decodePart, isTimely, verifyJwt, type Claims } from './jwt.ts';
import { KeySets, type KeySetSettings } from './key-set.ts';

/** How a deployment checks the tokens of its data API and its chat (docs/chat.md#credentials: API secret or JWKS). */
export interface TokenCheck {
  readonly apiSecret: string;
  readonly keySet?: KeySetSettings | undefined;
  /** The claim that holds the security context; by default the claims are it. */
  readonly claimsNamespace?: string | undefined;
}

export interface CheckedToken {
  readonly claims: Claims;
  /** What queries see, and what the chat's scope is asserted on. */
  readonly securityContext: Claims;
}

const keySets = new KeySets();

/** The claims of a token that the deployment's secret or its identity provider signed; undefined: not valid now. */
export async function checkToken(check: TokenCheck, token: string, now: number): Promise<CheckedToken | undefined> {
  const claims = verifyJwt(token, check.apiSecret, now) ?? (await byKeySet(check.keySet, token, now));
  return claims && { claims, securityContext: securityContextOf(claims, check.claimsNamespace) };
}

async function byKeySet(settings: KeySetSettings | undefined, token: string, now: number): Promise<Claims | undefined> {
  const [head, body, signature, ...rest] = token.split('.');
  if (!settings || head === undefined || body === undefined || signature === undefined || rest.length > 0) {
    return undefined;
  }
  const header = decodePart(head);
  const claims = decodePart(body);
  if (!header || !claims || !isTimely(claims, now) || !isMeant(settings, claims)) return undefined;
  const parts = {
    algorithm: header['alg'],
    keyId: header['kid'],
    text: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
  return (await keySets.verifies(settings.url, parts, now)) ? claims : undefined;
}

function isMeant({ issuer, audience }: KeySetSettings, claims: Claims): boolean {
  const meant = [claims['aud']].flat();
  return (issuer === undefined || claims['iss'] === issuer) && (audience === undefined || meant.includes(audience));
}

/** The claims themselves, but for a token that carries the context as a claim of its own. */
function securityContextOf(claims: Claims, namespace: string | undefined): Claims {
  const { scope } = claims;
  // The platform's own metadata tokens know nothing of a provider's claims.
  const isOfPlatform = namespace === undefined || (Array.isArray(scope) && scope.includes('meta'));
  const own = isOfPlatform ? (claims['security_context'] ?? claims['securityContext']) : claims[namespace];
  if (typeof own === 'object' && own !== null && !Array.isArray(own)) return own as Claims;
  // A provider's claim that is not there gives no rights.
  return isOfPlatform ? claims : {};
}
