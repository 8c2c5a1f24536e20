import { expect } from 'vitest';
import { listReports } from '#api/resources/reports.ts';
import { toRequest } from '#support/platform.ts';
import type { Stage } from './journey.ts';
import { untilDone } from './until.ts';

const view = 'Workspace';
const deploymentId = '1';

/** Favourites, order, moves by menu and by dragging, deletions and what is said of those that fail. */
export async function workspaceView(stage: Stage): Promise<void> {
  await open(stage);
  await favourite(stage);
  await sort(stage);
  await moveByMenu(stage);
  await moveByDragging(stage);
  await failForOne(stage);
  await remove(stage);
  await stage.workbench.pictures('moved');
  expect(await stage.workbench.notifications()).toEqual([]);
}

async function open({ workbench }: Stage): Promise<void> {
  await workbench.openContainer('Modelbench');
  await workbench.widenSideBar(400);
  await workbench.row('Branches', 'main').waitFor();
  await workbench.openOnly(view);
  await workbench.row(view, 'Folders').waitFor();
  await workbench.sideBarPictures('view');
  await workbench.widenSideBar(400);
}

async function favourite({ workbench }: Stage): Promise<void> {
  await workbench.rowAction(
    workbench.row(view, 'Board numbers'),
    'Add to Favourites',
    workbench.row(view, 'Favourites'),
  );
  await workbench.picture('favourite');
}

async function sort({ workbench }: Stage): Promise<void> {
  await workbench.rowMenu(workbench.row(view, 'Reports'), 'Sort…', workbench.option('by name'));
  await workbench.pick('by name');
  await workbench.row(view, 'Reports').filter({ hasText: 'by name' }).waitFor();
  await workbench.row(view, 'Margin by category').waitFor();
}

async function moveByMenu(stage: Stage): Promise<void> {
  const { workbench } = stage;
  await workbench.rowMenu(workbench.row(view, 'Margin by category'), 'Move…', workbench.option('Archive'));
  await workbench.pick('Archive');
  await workbench.notification('Moved “Margin by category” to “Archive”.').waitFor();
  await workbench.clearNotifications();
  await expect.poll(async () => folderOf(stage, 'Margin by category')).toEqual(['Sales', 'Weekly', 'Archive']);
}

async function moveByDragging(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const before = await folderOf(stage, 'Margin by channel');
  const moved = 'Moved “Margin by channel” to “Management”.';
  const row = workbench.row(view, 'Margin by channel');
  // A row that is redrawn under the pointer is not dragged.
  const drag = async (): Promise<void> =>
    untilDone(async (timeout) => {
      if (await row.isVisible()) await row.dragTo(workbench.row(view, 'Management'), { timeout });
      await workbench.notification(moved).waitFor({ timeout });
    });
  await row.waitFor();
  await drag();
  await workbench.notificationButton(moved, 'Undo');
  await expect.poll(async () => folderOf(stage, 'Margin by channel')).toEqual(before);
  await workbench.message('1 item moved back').waitFor();
  await row.waitFor();
  await drag();
  await expect.poll(async () => folderOf(stage, 'Margin by channel')).toEqual(['Management']);
  await workbench.expand(workbench.row(view, 'Management'), row);
  await workbench.picture('dragged');
  await workbench.clearNotifications();
}

/** A folder that is not empty stays: the report is deleted, and the folder is named with its reason. */
async function failForOne(stage: Stage): Promise<void> {
  const { workbench } = stage;
  const folder = workbench.row(view, 'Sales');
  const report = workbench.row(view, 'Revenue by country');
  // A click opens the folder, where the report is as well.
  await folder.click();
  await report.click({ modifiers: ['Control'] });
  await workbench.rowMenu(report, 'Delete…', workbench.quickInput);
  await workbench.answer('Type “2 items” to confirm', '2 items');
  await workbench.notification(/1 item deleted, 1 not\. Sales: The folder is not empty\./).waitFor();
  await workbench.picture('failed for one');
  await workbench.clearNotifications();
  await expect.poll(async () => folderOf(stage, 'Revenue by country')).toEqual(['not there']);
}

/** A deleted item is not a favourite any more. */
async function remove({ workbench }: Stage): Promise<void> {
  await workbench.rowMenu(workbench.row(view, 'Board numbers'), 'Delete…', workbench.quickInput);
  await workbench.answer('Type “Board numbers” to confirm', 'Board numbers');
  await workbench.message('1 item deleted').waitFor();
  await workbench.row(view, 'Favourites').waitFor({ state: 'detached' });
}

/** The names of the folders above a report, as the platform reports them. */
async function folderOf({ platform }: Stage, name: string): Promise<readonly (string | undefined)[]> {
  const request = toRequest(platform, listReports, { params: { deploymentId }, query: { search: name, first: 100 } });
  const answer = (await (await platform.fetch(request)).json()) as {
    readonly items: readonly { readonly name: string; readonly folderPath: readonly { readonly name?: string }[] }[];
  };
  return answer.items.find((item) => item.name === name)?.folderPath.map((folder) => folder.name) ?? ['not there'];
}
