import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortId } from '#shell/short-id.ts';

describe('the short id of an account', () => {
  it('keeps its eight digits, and reveals nothing about the tenant', () => {
    expect(shortId('https://acme.example')).toBe('139841e4');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        expect(shortId(id)).toMatch(/^[0-9a-f]{8}$/);
        expect(shortId(id)).toBe(shortId(id));
      }),
    );
  });

  it('tells accounts apart', () => {
    const ids = Array.from({ length: 1000 }, (_, at) => shortId(`https://tenant-${at}.example`));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
