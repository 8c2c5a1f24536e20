import { describe, expect, it } from 'vitest';
import { derived } from '#base/derived.ts';
import { Favourites } from '#features/platform/favourites.ts';
import type { WorkspaceItem } from '#features/platform/workspace-items.ts';
import { MemoryState } from '#support/memory-state.ts';

const target = { accountId: 'a', deploymentId: '1' };
const item = (id: string, name = id): WorkspaceItem => ({
  type: 'REPORT',
  id,
  name,
  publicId: undefined,
  folderId: 'sales',
  folderPath: ['Sales'],
  canEdit: true,
  canManage: false,
});

describe('favourites', () => {
  it('stay in their order, outlive the window, and are shown after each change', async () => {
    const state = new MemoryState();
    const favourites = new Favourites(state);
    const shown: number[] = [];
    derived(() => favourites.of(target).length).onDidChange((count) => shown.push(count));
    await favourites.add(target, [item('2'), item('1')]);
    await favourites.add(target, [item('3')]);
    expect(shown).toEqual([2, 3]);
    expect(new Favourites(state).of(target).map(({ id }) => id)).toEqual(['2', '1', '3']);
    expect(new Favourites(state).of(target)[0]).toMatchObject({ folderId: 'sales', folderPath: ['Sales'] });
  });

  it('are not doubled: adding one again brings its name up to date', async () => {
    const favourites = new Favourites(new MemoryState());
    await favourites.add(target, [item('1', 'old'), item('2')]);
    await favourites.add(target, [item('1', 'new')]);
    expect(favourites.of(target).map(({ name }) => name)).toEqual(['new', '2']);
  });

  it('distinguish reports from workbooks, and deployments from each other', async () => {
    const favourites = new Favourites(new MemoryState());
    const workbook = { ...item('1'), type: 'WORKBOOK' as const };
    await favourites.add(target, [item('1'), workbook]);
    await favourites.remove(target, [item('1')]);
    expect(favourites.of(target)).toEqual([expect.objectContaining({ type: 'WORKBOOK' })]);
    expect(favourites.of({ ...target, deploymentId: '2' })).toEqual([]);
  });

  it('are none where what was kept cannot be read', async () => {
    const state = new MemoryState();
    await state.set('favourites.["a","1"]', [{ type: 'REPORT' }]);
    expect(new Favourites(state).of(target)).toEqual([]);
  });
});
