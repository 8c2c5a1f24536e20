import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '#vscode/platform/redactor.ts';

describe('redactor', () => {
  it('takes out what it was told and what looks like a secret', () => {
    const redactor = new Redactor();
    redactor.hide('canary-8f31');
    const line = 'key canary-8f31, Authorization: Bearer abc.def-1, jwt eyJhbGciOi.eyJzdWIi.c2ln, ?token=xyz&a=1';
    expect(redactor.redact(line)).toBe('key ***, Authorization: Bearer ***, jwt ***, ?token=***&a=1');
  });

  it('leaves ordinary words alone', () => {
    const redactor = new Redactor();
    redactor.hide('id');
    expect(redactor.redact('listBranches id=1 status=200')).toBe('listBranches id=1 status=200');
  });

  it('never lets a told secret through', () => {
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
