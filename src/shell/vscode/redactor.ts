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
    const masked = patterns.reduce((soFar, [pattern, replacement]) => soFar.replaceAll(pattern, replacement), clean);
    return masked.replaceAll(/[\w.-]+/g, withoutTokens);
  }
}

function secretsOf(stored: string): readonly string[] {
  const json = stored.startsWith('{') ? parsedJson(stored) : undefined;
  if (typeof json !== 'object' || json === null) return [stored];
  const tokens = Object.entries(json).filter(([name]) => /token|secret|key|password/i.test(name));
  return tokens.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

/**
 * Masks each JSON Web Token in a text without spaces: three base64url segments, the first of which is `{"…`. A single pattern
 * would read the rest of the text again at each `eyJ`.
 */
function withoutTokens(word: string): string {
  const segments = word.split('.');
  const masked: string[] = [];
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] ?? '';
    const start = segment.search(/\beyJ[\w-]/);
    const isToken = start !== -1 && segments[at + 1] !== '' && at + 2 < segments.length;
    masked.push(isToken ? `${segment.slice(0, start)}***` : segment);
    if (isToken) at += 2;
  }
  return masked.join('.');
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Api-Key)\s+[\w.~+/=-]+/gi, '$1 ***'],
  [/([?&](?:token|key|api_key|access_token|secret|password)=)[^&\s]+/gi, '$1***'],
];
