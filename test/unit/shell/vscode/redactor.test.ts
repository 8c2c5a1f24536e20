import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '#shell/vscode/redactor.ts';

describe('redactor', () => {
  it('removes registered secrets and what looks like one', () => {
    const redactor = new Redactor();
    redactor.hide('canary-8f31');
    const line = 'key canary-8f31, Authorization: Bearer abc.def-1, jwt eyJhbGciOi.eyJzdWIi.c2ln, ?token=xyz&a=1';
    expect(redactor.redact(line)).toBe('key ***, Authorization: Bearer ***, jwt ***, ?token=***&a=1');
  });

  it('knows the tokens of a browser sign-in one by one, and not the form that they are stored in', () => {
    const redactor = new Redactor();
    const tokens = {
      accessToken: 'at-5c81f0aa97d34e6b',
      refreshToken: 'rt-b2f9d0c7711e4a58',
      expiresAt: 1_790_000_000,
    };
    redactor.hide(JSON.stringify(tokens));
    for (const token of [tokens.accessToken, tokens.refreshToken]) {
      expect(redactor.redact(`said ${token}.`)).toBe('said ***.');
      expect(redactor.redact(`said ${token.slice(3, 12)}.`)).toBe('said ***.');
      expect(redactor.redact(`said ${btoa(token)}.`)).toMatch(/^said \*{3}\w?={0,2}\.$/);
    }
    expect(redactor.redact('accessToken expiresAt 1790000000')).toBe('accessToken expiresAt 1790000000');
  });

  it('leaves ordinary words alone', () => {
    const redactor = new Redactor();
    redactor.hide('id');
    expect(redactor.redact('listBranches id=1 status=200')).toBe('listBranches id=1 status=200');
  });

  it('never lets a registered secret through', () => {
    const secret = fc.string({ minLength: 8 }).filter((text) => !text.includes('*'));
    expect(() =>
      fc.assert(
        fc.property(secret, fc.string(), fc.string(), (told, before, after) => {
          const redactor = new Redactor();
          redactor.hide(told);
          return !redactor.redact(`${before}${told}${after}`).includes(told);
        }),
      ),
    ).not.toThrow();
  });
});
