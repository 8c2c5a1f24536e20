import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretEchoes } from '#base/secret-echoes.ts';

const secrets = fc
  .string({
    unit: fc.constantFrom(...Array.from('abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.~+/=')),
    minLength: 16,
    maxLength: 80,
  })
  .filter((secret) => new Set(secret).size > 8);

function clean(secret: string, text: string): string {
  const echoes = new SecretEchoes('***');
  echoes.add(secret);
  return echoes.clean(text);
}

/** Words that no secret of the properties can be part of. */
const [BEFORE, AFTER] = ['<§§§§', '§§§§>'];
const around = (echo: string): string => `${BEFORE}${echo}${AFTER}`;

describe('secrets in a text', () => {
  it('never show eight characters in a row, whatever is echoed of them', () => {
    fc.assert(
      fc.property(secrets, fc.nat(), fc.nat(), (secret, a, b) => {
        const from = a % (secret.length - 8);
        const echo = secret.slice(from, from + 8 + (b % (secret.length - from - 7)));
        expect(clean(secret, around(echo))).toBe(around('***'));
      }),
    );
  });

  const encodings: Readonly<Record<string, (text: string) => string>> = {
    base64: (text) => Buffer.from(text).toString('base64'),
    base64url: (text) => Buffer.from(text).toString('base64url'),
    'base64 after another byte': (text) => Buffer.from(`:${text}`).toString('base64'),
    'base64 after two other bytes': (text) => Buffer.from(`u:${text}`).toString('base64'),
    'base64 of a header': (text) => Buffer.from(`Bearer ${text}\r\n`).toString('base64'),
    hexadecimal: (text) => Buffer.from(text).toString('hex'),
    'hexadecimal in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
    URL: (text) => encodeURIComponent(text),
    'URL, every byte': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
  };

  it.each(Object.keys(encodings))('do not show in %s', (name) => {
    const encode = encodings[name];
    fc.assert(
      fc.property(secrets, (secret) => {
        const encoded = encode?.(secret) ?? '';
        const cleaned = clean(secret, around(encoded));
        expect(cleaned).toContain('***');
        const rest = cleaned.slice(BEFORE.length, -AFTER.length);
        // What is left belongs to the bytes around the secret.
        for (const part of rest.split('***')) expect(part.length).toBeLessThan(name.includes('header') ? 16 : 8);
      }),
    );
  });

  it('do not show as a half of the secret in base64 or hexadecimal digits', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const half = Math.floor(secret.length / 2);
        for (const part of [secret.slice(0, half), secret.slice(half)]) {
          const hex = Buffer.from(part).toString('hex');
          expect(clean(secret, around(hex))).toBe(around('***'));
          expect(clean(secret, around(Buffer.from(secret.slice(0, half)).toString('base64url')))).toContain('***');
        }
      }),
    );
  });

  it('leave other texts as they are', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.string({ unit: fc.constantFrom('§', 'ß', ' ', 'ä', 'ö', '€'), maxLength: 60 }),
        (secret, text) => {
          expect(clean(secret, text)).toBe(text);
        },
      ),
    );
    expect(clean('abc', 'abc')).toBe('abc');
    expect(clean('short-key', 'a short key, short-ke')).toBe('a short key, short-ke');
    expect(clean('short-key', 'the short-key here')).toBe('the *** here');
  });
});
