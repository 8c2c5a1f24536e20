import { expect, it } from 'vitest';
import { ObservedFiles } from '#features/folders/observed-files.ts';
import type { FileStore, LocalListing, ScanRequest, StagedFile } from '#sync/core/ports.ts';

const listing = (files: Readonly<Record<string, string>>): LocalListing => ({
  files: new Map(Object.entries(files).map(([path, hash]) => [path, { hash, size: 1 }])),
  frozen: new Map(),
  complete: true,
  root: 'folder',
});
const staged: StagedFile = { path: 'model/a.yml', hash: '2', temporary: '.a' };

/** A folder that answers with these listings, one after the other, and whose writes end as given. */
function folder(kind: 'done' | 'changed', ...listings: readonly LocalListing[]) {
  const left = [...listings];
  const answer = kind === 'done' ? { kind, backup: undefined } : { kind, now: 'absent' };
  const store = {
    scan: () => Promise.resolve(left.shift()),
    replace: () => Promise.resolve(answer),
    remove: () => Promise.resolve(answer),
    rename: () => Promise.resolve(answer),
  };
  const files = new ObservedFiles(store as unknown as FileStore);
  const reported: (readonly string[])[] = [];
  files.onDidChange((paths) => reported.push(paths));
  return { files, reported };
}

it('reports which files sync wrote, removed or renamed, and none that it did not', async () => {
  const { files, reported } = folder('done');
  await files.replace(staged, '1', 'pull');
  await files.remove('model/b.yml', '1', 'pull');
  await files.rename('model/c.yml', 'model/d.yml', '1');
  expect(reported).toEqual([['model/a.yml'], ['model/b.yml'], ['model/c.yml', 'model/d.yml']]);
  const refused = folder('changed');
  await refused.files.replace(staged, '1', 'pull');
  await refused.files.remove('model/b.yml', '1', 'pull');
  expect(refused.reported).toEqual([]);
});

it('reports what another program added, changed or removed between two listings', async () => {
  const before = listing({ 'model/a.yml': '1', 'model/b.yml': '1', 'model/same.yml': '1' });
  const { files, reported } = folder(
    'done',
    before,
    before,
    listing({ 'model/a.yml': '2', 'model/new.yml': '1', 'model/same.yml': '1' }),
  );
  const request = {} as ScanRequest;
  await files.scan(request);
  await files.scan(request);
  expect(reported).toEqual([]);
  await files.scan(request);
  expect(reported).toEqual([['model/a.yml', 'model/new.yml', 'model/b.yml']]);
});
