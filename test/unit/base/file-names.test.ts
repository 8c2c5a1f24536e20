import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkName, foldName } from '#base/file-names.ts';
import { hostileNames } from '#support/sync/hostile-names.ts';

describe('names from the server', () => {
  it('refuses every hostile name', () => {
    expect(hostileNames.length).toBeGreaterThanOrEqual(200);
    expect(hostileNames.filter((name) => checkName(name) === undefined)).toEqual([]);
    console.log(`hostile names: ${hostileNames.length}`);
  });

  it.each([
    'model/cubes/orders.yml',
    'model/Über uns.yml',
    'model/日本語/顧客.yaml',
    'a',
    'model/a-b_c.2.js',
    'model/console.yml',
    'model/com10.yml',
    'model/売上　合計（月次）.yml',
    'model/a b.yml',
    'model/Umsatz… 100%.yml',
    'model/हिन्दी.yml',
    'model/فروش.yml',
    'model/🛒.yml',
    'model/ｏｒｄｅｒｓ.yml',
  ])('accepts an ordinary name: %s', (name) => {
    expect(checkName(name)).toBeUndefined();
  });

  it('lets no name through that leaves the folder or means two files', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '/', '\\', ':', 'CON', '.git', ' ', '\u0000', 'é', 'e\u0301', 'a', 'b.yml', '\u200d'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const name = pieces.join('');
        if (checkName(name) !== undefined) return;
        const segments = name.split('/');
        expect(segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')).toBe(true);
        expect(name).not.toMatch(/[\\:\0]/);
        expect(name.normalize('NFC')).toBe(name);
        expect(name.isWellFormed()).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('folds case and normal form', () => {
    expect(foldName('model/Ärger.yml')).toBe(foldName('model/a\u0308RGER.YML'));
    expect(foldName('model/a.yml')).not.toBe(foldName('model/b.yml'));
  });
});
