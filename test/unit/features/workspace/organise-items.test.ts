import { describe, expect, it } from 'vitest';
import { dropOf, type Moved, moveBack, moveTo, namedItems } from '#features/workspace/organise-items.ts';
import { deleteItems, type ItemReference, moveItems } from '#shell/bulk.ts';
import { runDirectly } from '#support/operations.ts';
import { openDesk } from '#support/features.ts';
import { newNotification, openingOf, recipeOf } from '#features/workspace/open-items.ts';
import { onlyReport } from '#features/workspace/spreadsheets.ts';

const target = { accountId: 'a', deploymentId: '1' };
const report = { type: 'REPORT', id: '7', name: 'Sales', publicId: 'sales' } as const;
const item = { ...report, folderId: 'f', folderPath: [], canEdit: true, canManage: true };
const row = { kind: 'item', id: 'item/7', owner: 'reports', ...target, item } as const;
const folder = { kind: 'folder', id: 'folder/f', itemId: 'f', name: 'Team', ...target, children: [] } as const;

describe('rows that are dropped', () => {
  it('move to the top where they are dropped below the last row', () => {
    const chosen = { target, items: [{ type: 'REPORT', id: '7', name: 'Sales', publicId: 'sales', folderId: 'f' }] };
    expect(dropOf([row], undefined)).toEqual({ kind: 'move', chosen, folderId: undefined, asks: false });
  });

  it('ask first where they are several, a folder, or managed by someone else', () => {
    const foreign = { ...row, item: { ...item, canManage: false } };
    for (const rows of [[row, { ...row, item: { ...item, id: '8' } }], [folder], [foreign]]) {
      expect(dropOf(rows, undefined)).toMatchObject({ kind: 'move', asks: true });
    }
  });

  it('become favourites where they are dropped on one, and folders never do', () => {
    const favourite = { ...row, owner: 'favourites' } as never;
    expect(dropOf([row], favourite)).toMatchObject({ kind: 'favour', items: [item] });
    expect(dropOf([folder], favourite)).toEqual({ kind: 'nothing' });
  });

  it('do nothing where they are not items', () => {
    expect(dropOf([{ kind: 'section' }, 7, undefined], undefined)).toEqual({ kind: 'nothing' });
  });
});

describe('chosen items', () => {
  it('are named alone and counted together', () => {
    expect(namedItems([report])).toBe('“Sales”');
    expect(namedItems([report, report])).toBe('2 items');
  });

  it('open as a document only with a name that the platform knows them by', () => {
    expect(recipeOf({ target, items: [report] })).toEqual({ kind: 'report', target, id: 'sales', name: 'Sales' });
    expect(() => recipeOf({ target, items: [{ ...report, publicId: undefined }] })).toThrow(/public id of “Sales”/);
    expect(() => recipeOf({ target, items: [{ ...report, type: 'FOLDER' }] })).toThrow(/Choose a report/);
  });

  it.each([
    ['a workbook that I edit', { type: 'WORKBOOK', canEdit: true }, true, 'dashboardPreview'],
    ['a workbook that I only read', { type: 'WORKBOOK', canEdit: false }, true, 'publishedDashboard'],
    ['a workbook without dashboards', { type: 'WORKBOOK', canEdit: true, publicId: 'w' }, false, 'document'],
    ['a report that I edit', { type: 'REPORT', canEdit: true, publicId: 'sales' }, true, 'document'],
    ['a report that I only read', { type: 'REPORT', canEdit: false, publicId: 'sales' }, true, 'nothing'],
    ['a report without a public id', { type: 'REPORT', canEdit: true }, true, 'nothing'],
  ] as const)('open by a click: %s', (_name, clicked, hasDashboards, opening) => {
    expect(openingOf(clicked, hasDashboards)).toBe(opening);
  });

  it('connect to a spreadsheet only where they are reports', () => {
    expect(onlyReport({ target, items: [report] })).toBe(report);
    expect(() => onlyReport({ target, items: [{ ...report, type: 'WORKBOOK' }] })).toThrow(/Choose a report/);
  });

  it('are told apart from a notification that is not saved yet', () => {
    expect(newNotification(target)).toMatchObject({ kind: 'newNotification', target });
  });
});

describe('a move', () => {
  const operations = runDirectly();

  /** Two reports of different folders, where they are on the platform, and what a colleague does to them there. */
  async function scene() {
    const { data, account, client } = await openDesk();
    const location = { accountId: account.id, deploymentId: '1' };
    const { folders, reports } = data.of(location);
    await Promise.all([folders.ensure(), reports.ensure()]);
    const shown = reports.state.value.value?.items ?? [];
    const inFolders = shown.filter(({ folderId }) => folderId !== undefined);
    const one = inFolders[0];
    const two = inFolders.find(({ folderId }) => folderId !== one?.folderId);
    if (!one || !two) throw new Error('the sample has no reports in two folders');
    const foldersOf = async (): Promise<unknown> => {
      await reports.refresh();
      const now = reports.state.value.value?.items ?? [];
      return [one, two].map(({ id }) => now.find((each) => each.id === id)?.folderId);
    };
    const move = async (items: readonly ItemReference[], to: string | undefined) =>
      moveTo({ data, operations }, { target: location, items }, to);
    const undo = async (moved: Moved | undefined) => moveBack({ data, operations }, moved?.back ?? []);
    return { client, data, folders, foldersOf, move, one, location, two, undo };
  }

  it('can be undone: each item goes back to the folder that it came from', async () => {
    const { foldersOf, move, one, two, undo } = await scene();
    const moved = await move([one, two], undefined);
    expect(await foldersOf()).toEqual([undefined, undefined]);
    expect(await undo(moved)).toMatchObject({ done: [{ id: one.id }, { id: two.id }], failed: [], elsewhere: [] });
    expect(await foldersOf()).toEqual([one.folderId, two.folderId]);
  });

  it('is not undone for an item that was moved again since, also where someone else did it', async () => {
    const { client, foldersOf, move, one, location, two, undo } = await scene();
    const moved = await move([one, two], undefined);
    await moveItems(client, location.deploymentId, [one], two.folderId);
    expect(await undo(moved)).toMatchObject({ done: [{ id: two.id }], failed: [], elsewhere: [{ id: one.id }] });
    expect(await foldersOf()).toEqual([two.folderId, two.folderId]);
  });

  it('is not undone for what was deleted since', async () => {
    const { client, move, one, location, undo } = await scene();
    const moved = await move([one], undefined);
    await deleteItems(client, location.deploymentId, [one]);
    expect(await undo(moved)).toMatchObject({ done: [], failed: [], elsewhere: [{ id: one.id }] });
  });

  it('of a folder is not undone where the folder was moved again since', async () => {
    const { client, folders, move, location, undo } = await scene();
    const all = async () => {
      await folders.refresh();
      return folders.state.value.value?.items ?? [];
    };
    const before = await all();
    const [inner] = before.filter(({ parentId }) => parentId !== undefined);
    const other = before.find(
      ({ id, parentId }) => id !== inner?.parentId && id !== inner?.id && parentId === undefined,
    );
    if (!inner || !other) throw new Error('the sample has no folder in another one');
    const item = { type: 'FOLDER', id: inner.id, name: inner.name } as const;
    const moved = await move([item], undefined);
    await moveItems(client, location.deploymentId, [item], other.id);
    expect(await undo(moved)).toMatchObject({ done: [], elsewhere: [{ id: inner.id }] });
    expect((await all()).find(({ id }) => id === inner.id)?.parentId).toBe(other.id);
    const again = await move([item], undefined);
    expect(await undo(again)).toMatchObject({ done: [{ id: inner.id }], elsewhere: [] });
    expect((await all()).find(({ id }) => id === inner.id)?.parentId).toBe(other.id);
  });
});
