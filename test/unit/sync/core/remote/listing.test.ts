import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BaseEntry } from '#sync/core/base.ts';
import { readListing, readListingText } from '#sync/core/remote/listing.ts';

const hashOf = (seed: number): string => seed.toString(16).padStart(40, '0');
const names = fc.oneof(
  fc.constantFrom('model/a.yml', '/model/a.yml', 'model', 'modelx/a.yml', 'cube.js', 'model/.git/x', 'model/CON.yml'),
  fc.constantFrom('__proto__', 'constructor', 'model/__proto__', 'model/constructor', 'model/toString.yml'),
  fc.constantFrom('model/ü.yml', 'model/u\u0308.yml', 'model/a"b.yml', String.raw`model/a\b.yml`, 'model/x\ny.yml'),
  fc.string({ maxLength: 8 }).map((text) => `model/${text}`),
);
const listings = fc.array(fc.tuple(names, fc.nat({ max: 3 })), { maxLength: 12 });

function known(paths: readonly (readonly [string, number])[]): ReadonlyMap<string, BaseEntry> {
  return new Map(paths.map(([path, seed]) => [path, { path, hash: hashOf(seed), size: 7 }]));
}

describe('a listing read straight from its text', () => {
  it('says what the validated answer says, whatever is known already, or leaves it to the validator', async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(listings, listings, async (pairs, agreed) => {
        const parts = pairs.map(([path, seed]) => `${JSON.stringify(path)}:{"hash":"${hashOf(seed)}"}`);
        const names = new Set(pairs.map(([path]) => path));
        // The same name twice is one for JSON; no platform sends that.
        fc.pre(names.size === pairs.length);
        const text = `{"files":{${parts.join(',')}}}`;
        const base = known(agreed.filter(([path]) => /^model\/[a-z]+\.yml$/.test(path)));
        const listing = await readListingText(text, 'model', base);
        if (!listing) {
          // Only an escaped name is another form.
          if (!text.includes('\\')) throw new Error(`not read: ${text}`);
          return;
        }
        read += 1;
        const validated = readListing(JSON.parse(text) as Parameters<typeof readListing>[0], 'model');
        const hashes = (files: typeof listing.files): ReadonlyMap<string, string> =>
          new Map([...files].map(([path, { hash }]) => [path, hash]));
        expect(hashes(listing.files)).toEqual(hashes(validated.files));
        expect(listing.frozen).toEqual(validated.frozen);
        expect(listing.others).toEqual(validated.others);
        expect(listing.complete).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  it('holds what is as it was agreed as the very same object', async () => {
    const base = known([
      ['model/a.yml', 1],
      ['model/b.yml', 2],
    ]);
    const text = `{"files":{"model/a.yml":{"hash":"${hashOf(1)}"},"model/b.yml":{"hash":"${hashOf(3)}"}}}`;
    const listing = await readListingText(text, 'model', base);
    expect(listing?.files.get('model/a.yml')).toBe(base.get('model/a.yml'));
    expect(listing?.files.get('model/b.yml')).toEqual({ hash: hashOf(3) });
  });

  it.each([
    ['no hexadecimal hash', `{"files":{"model/a.yml":{"hash":"${'g'.repeat(40)}"}}}`],
    ['a short hash', `{"files":{"model/a.yml":{"hash":"${'a'.repeat(39)}"}}}`],
    ['more fields', `{"files":{"model/a.yml":{"hash":"${hashOf(1)}","size":3}}}`],
    ['something behind', `{"files":{"model/a.yml":{"hash":"${hashOf(1)}"}}} x`],
    ['spaces', `{ "files": {} }`],
  ])('leaves it to the validator when there is %s', async (_, text) => {
    expect(await readListingText(text, 'model')).toBeUndefined();
  });
});
