import { parsedJson } from '#base/json.ts';
import { SecretEchoes } from '#base/secret-echoes.ts';

/** Removes secrets from texts: the registered ones, and everything that looks like one. */
export class Redactor {
  readonly #secrets = new SecretEchoes('***');

  /**
   * Registers a secret: from now on neither it nor a fragment or an encoding of it appears. Of a sign-in's tokens, which are
   * stored as JSON, each is registered. Very short texts are ignored: masking them would blank out ordinary words.
   */
  hide(secret: string): void {
    for (const each of secretsOf(secret)) this.#secrets.add(each);
  }

  redact(text: string): string {
    const clean = this.#secrets.clean(text);
    return patterns.reduce((soFar, [pattern, replacement]) => soFar.replaceAll(pattern, replacement), clean);
  }
}

function secretsOf(stored: string): readonly string[] {
  const json = stored.startsWith('{') ? parsedJson(stored) : undefined;
  if (typeof json !== 'object' || json === null) return [stored];
  const tokens = Object.entries(json).filter(([name]) => /token|secret|key|password/i.test(name));
  return tokens.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Api-Key)\s+[\w.~+/=-]+/gi, '$1 ***'],
  // A JSON Web Token: three base64url segments, the first of which is `{"…`.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
  [/([?&](?:token|key|api_key|access_token|secret|password)=)[^&\s]+/gi, '$1***'],
];
