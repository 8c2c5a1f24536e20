/** Shorter secrets are ignored: masking them would blank out ordinary words. */
const SHORTEST_SECRET = 4;
/** This many consecutive characters reveal a secret, in any encoding. */
const WINDOW = 8;
/** Fragments are only searched for in secrets of this length, where a fragment is at most half of the secret. */
const SHORTEST_DIVIDED = 2 * WINDOW;

/**
 * Removes echoes of secrets from texts: the whole secret, plain, URL-encoded, in base64 or in hexadecimal, and any eight
 * consecutive characters of these forms.
 */
export class SecretEchoes {
  readonly #known = new Set<string>();
  readonly #whole = new Set<string>();
  readonly #windows = new Set<string>();
  readonly #mask: string;

  constructor(mask: string) {
    this.#mask = mask;
  }

  add(secret: string): void {
    if (secret.length < SHORTEST_SECRET || this.#known.has(secret)) return;
    this.#known.add(secret);
    for (const form of formsOf(secret)) {
      if (form.length < SHORTEST_SECRET) continue;
      this.#whole.add(form);
      if (secret.length >= SHORTEST_DIVIDED) for (const window of windowsOf(form)) this.#windows.add(window);
    }
  }

  /** Returns the text with every echo replaced by the mask. */
  clean(text: string): string {
    let clean = text;
    for (const form of this.#whole) clean = clean.replaceAll(form, this.#mask);
    return this.#windows.size === 0 ? clean : this.#withoutParts(clean);
  }

  #withoutParts(text: string): string {
    let clean = '';
    let kept = 0;
    for (let at = 0; at + WINDOW <= text.length; at++) {
      if (!this.#windows.has(text.slice(at, at + WINDOW))) continue;
      let end = at + WINDOW;
      while (end < text.length && this.#windows.has(text.slice(end - WINDOW + 1, end + 1))) end++;
      clean += text.slice(kept, at) + this.#mask;
      kept = end;
      at = end - 1;
    }
    return clean + text.slice(kept);
  }
}

function windowsOf(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - WINDOW + 1) }, (_, at) => text.slice(at, at + WINDOW));
}

/** Returns a secret in the encodings that servers, proxies and programs use. */
function formsOf(secret: string): ReadonlySet<string> {
  const bytes = new TextEncoder().encode(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift));
  return new Set([
    secret,
    encodeURIComponent(secret.toWellFormed()),
    hex.map((pair) => `%${pair}`).join(''),
    hex.map((pair) => `%${pair.toUpperCase()}`).join(''),
    hex.join(''),
    hex.join('').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Returns the base64 digits that depend only on these bytes when `shift` other bytes (such as those of `user:`) precede them. */
function base64At(bytes: Uint8Array, shift: number): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const first = [0, 4, 2][shift] ?? 0;
  const digits = Math.floor((bits.length - first) / 6);
  return Array.from({ length: Math.max(0, digits) }, (_, at) => {
    const from = first + at * 6;
    return ALPHABET[Number.parseInt(bits.slice(from, from + 6), 2)] ?? '';
  }).join('');
}
