import { describe, expect, it } from 'vitest';
import type { RemoteListing } from '#sync/core/ports.ts';
import { type Effect, effectOf } from '#sync/core/transfer/effects.ts';
import { vanishedFiles } from '#sync/core/transfer/vanished-files.ts';

const listing = (files: readonly string[], others: readonly string[] = []): RemoteListing => ({
  files: new Map(files.map((path) => [path, { hash: 'a'.repeat(40) }])),
  others: new Map(others.map((path) => [path, 'b'.repeat(40)])),
  frozen: new Map(),
  complete: true,
});
const deletionOf = (path: string): Effect[] =>
  [effectOf({ kind: 'deleteRemote', path, expectedRemote: 'a'.repeat(40), size: 1 })].filter(
    (each) => each !== undefined,
  );

describe('files that a later list lacks', () => {
  const earlier = listing(['model/a.yml', 'model/b.yml'], ['cube.js', '/odd']);

  it('are named, whichever folder they are in', () => {
    expect(vanishedFiles(earlier, earlier, [])).toEqual([]);
    expect(vanishedFiles(earlier, listing(['model/a.yml'], ['/odd']), [])).toEqual(['model/b.yml', 'cube.js']);
  });

  it('are expected where they are deleted here, or count as other files now', () => {
    expect(vanishedFiles(earlier, listing(['model/a.yml'], ['cube.js', '/odd']), deletionOf('model/b.yml'))).toEqual(
      [],
    );
    expect(vanishedFiles(earlier, listing(['model/a.yml'], ['cube.js', '/odd', 'model/b.yml']), [])).toEqual([]);
  });

  it('are not those that came since', () => {
    expect(vanishedFiles(listing([]), earlier, [])).toEqual([]);
  });
});
