import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engineVersion } from '#model/engine/engine-version.ts';
import { versionNote } from '#features/language/engine-version.ts';

describe('the version of the engine', () => {
  it('is that of the bundled package', () => {
    const text = readFileSync('node_modules/@cubejs-backend/schema-compiler/package.json', 'utf8');
    expect(engineVersion).toBe((JSON.parse(text) as { readonly version: string }).version);
  });

  it.each([[undefined], ['1.7.43'], ['1.7.2'], ['v1.7.50']])('is not worth a note beside %s', (deployed) => {
    expect(versionNote(deployed)).toBeUndefined();
  });

  it.each([['1.8.2'], ['2.7.43'], ['0.36.11']])('is compared with %s', (deployed) => {
    expect(versionNote(deployed)).toBe(`The deployment runs ${deployed}, whose rules may differ.`);
  });
});
