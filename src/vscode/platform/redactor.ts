/** Takes secrets out of a text: the ones it was told, and whatever looks like one. */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** From now on this text never appears. Very short ones are left alone: they would blank ordinary words. */
  hide(secret: string): void {
    if (secret.length >= 4) this.#secrets.add(secret);
  }

  redact(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, '***');
    return patterns.reduce((soFar, [pattern, replacement]) => soFar.replaceAll(pattern, replacement), clean);
  }
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Api-Key)\s+[\w.~+/=-]+/gi, '$1 ***'],
  // A JSON Web Token: three base64url parts, the first of which is `{"…`.
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '***'],
  [/([?&](?:token|key|api_key|access_token|secret|password)=)[^&\s]+/gi, '$1***'],
];
