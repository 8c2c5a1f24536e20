import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Client } from '#api/client/client.ts';
import { listFolders } from '#api/resources/folders.ts';
import { listReports, upsertReportByPublicId } from '#api/resources/reports.ts';
import type { WorkspaceNode } from '#features/workspace/workspace-tree.ts';
import type { DropDeps } from '#features/workspace/vscode/deps.ts';
import { drop as dropRows } from '#features/workspace/vscode/organise-items.ts';
import type { TreeElement } from '#shell/vscode/model-tree.ts';
import { MoveByDragging } from '#features/workspace/vscode/workspace-view.ts';
import { type Answer, escape, pick, press, type } from '../user.ts';
import { describe, it } from '../runner.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

// What is done to several objects of the workspace at once, with what fails for each.
describe(
  'the views of the platform',
  () => {
    const row = (id: string, name: string, folderId?: string) => ({
      kind: 'item',
      ...stage().target,
      item: { type: 'REPORT', id, name, folderId },
    });
    const find = async (search: string) => {
      const { deploymentId } = stage().target;
      const query = { search, first: 5 };
      return (await stage().platform.client.call(listReports, { params: { deploymentId }, query })).items[0];
    };
    const together = (command: string) => async (): Promise<unknown> => {
      const made = await find('Made for bulk');
      assert.ok(made);
      const rows = [row(made.id, made.name), row('999999', 'Ghost')];
      return vscode.commands.executeCommand(command, rows[0], rows);
    };

    it('finds a report on the platform and does with it what the user chooses', async () => {
      const { user, target } = stage();
      await user.does('modelbench.selectDeployment', target);
      const found = await find('Margin by category');
      assert.ok(found);
      await user.does(
        'modelbench.workspace.search',
        undefined,
        pick('Margin by category'),
        pick('Copy ID'),
        pick(found.id),
      );
      assert.equal(await vscode.env.clipboard.readText(), found.id);
      const search = 'modelbench.workspace.search';
      await user.does(search, undefined, pick('Margin by category'), pick('Move…'), pick('Management'));
      assert.deepEqual(
        (await find('Margin by category'))?.folderPath?.map(({ name }) => name),
        ['Management'],
      );
    });

    it('moves several items, and says which could not be moved and why', async () => {
      const { user, platform, target } = stage();
      await platform.client.call(upsertReportByPublicId, {
        params: { deploymentId: target.deploymentId, publicId: 'for-bulk' },
        body: { name: 'Made for bulk' },
      });
      const said = await user.answering(together('modelbench.workspace.move'), pick('Sales'));
      assert.match(said, /1 item moved, 1 not\. Ghost: \S/);
      assert.deepEqual(
        (await find('Made for bulk'))?.folderPath?.map(({ name }) => name),
        ['Sales'],
      );
    });

    it('deletes several items after a question; those that failed can be tried again', async () => {
      const { user } = stage();
      const command = together('modelbench.workspace.delete');
      const wrong = await user.answering(command, type('1 item'), escape);
      assert.match(wrong, /Type “2 items” exactly/);
      assert.ok(await find('Made for bulk'), 'nothing is deleted before it was typed');
      const said = await user.answering(command, type('2 items'), press('Retry Failed'), type('Ghost'));
      assert.match(said, /1 item deleted, 1 not\. Ghost: \S[^]*0 items deleted, 1 not/);
      assert.equal(await find('Made for bulk'), undefined);
    });

    it('moves a folder with what is in it, and offers no folder that lies inside', async () => {
      const { user, platform, target } = stage();
      const params = { deploymentId: target.deploymentId };
      const { items } = await platform.client.call(listFolders, { params, query: { first: 50 } });
      const folder = (name: string) => {
        const id = items.find((each) => each.name === name)?.id;
        return { kind: 'folder', ...target, itemId: id, name };
      };
      const inside = await find('Units sold by month');
      assert.equal(inside?.folderPath?.at(-1)?.name, 'Sales');
      const rows = [row(inside.id, inside.name, inside.folderId), folder('Sales')];
      const move = 'modelbench.workspace.move';
      await user.answering(async () => vscode.commands.executeCommand(move, rows[0], rows), pick('Logistics'));
      const pathOf = async () => (await find('Units sold by month'))?.folderPath?.map(({ name }) => name);
      assert.deepEqual(await pathOf(), ['Logistics', 'Sales']);
      const said = await user.does(move, folder('Logistics'), pick('Sales'));
      assert.match(said, /has no “Sales”: /);
      await user.does(move, folder('Sales'), pick('Top of the Workspace'));
      assert.deepEqual(await pathOf(), ['Sales']);
    });

    it('moves a folder that is dragged onto another, and says why it cannot go into one of its own', async () => {
      const { user, platform, target } = stage();
      const list = async () => {
        const request = { params: { deploymentId: target.deploymentId }, query: { first: 50 } };
        return (await platform.client.call(listFolders, request)).items;
      };
      const rowOf = async (name: string): Promise<TreeElement<WorkspaceNode>> => {
        const id = (await list()).find((each) => each.name === name)?.id ?? '';
        return elementOf({ kind: 'folder', ...target, itemId: id, name });
      };
      const parentOf = async (name: string) => {
        const all = await list();
        return all.find(({ id }) => id === all.find((each) => each.name === name)?.parentId)?.name;
      };
      const dragging = new MoveByDragging(dragServices(platform.client));
      const drag = async (from: string, onto: string, ...answers: readonly Answer[]): Promise<string> => {
        const data = new vscode.DataTransfer();
        dragging.handleDrag([await rowOf(from)], data);
        const place = await rowOf(onto);
        return user.answering(async () => dragging.handleDrop(place, data), ...answers);
      };
      assert.match(await drag('Logistics', 'Management'), /Move “Logistics” to /);
      assert.equal(await parentOf('Logistics'), undefined);
      await drag('Logistics', 'Management', press('Move'));
      assert.equal(await parentOf('Logistics'), 'Management');
      assert.match(await drag('Management', 'Logistics', press('Move')), /0 items moved, 1 not\. Management: \S/);
      assert.equal(await parentOf('Management'), undefined);
      await dragging.handleDrop(undefined, new vscode.DataTransfer());
      // The folders of the window do not know of these moves yet.
      await user.does('modelbench.selectDeployment', target);
      await user.does('modelbench.workspace.refresh', undefined);
      await user.does('modelbench.workspace.move', (await rowOf('Logistics')).node, pick('Top of the Workspace'));
      assert.equal(await parentOf('Logistics'), undefined);
    });
  },
  platformViews,
);

/** What moving by dragging works with: the extension’s own `drop` on the platform’s own client. */
function dragServices(client: Client): ConstructorParameters<typeof MoveByDragging>[0] {
  const nothing = { state: { value: {} } };
  const data = {
    client: () => client,
    known: () => undefined,
    of: () => ({ folders: nothing, reports: nothing, workbooks: nothing, contents: new Map() }),
  };
  const operations = { run: async ({ run }: { run: (context: object) => Promise<unknown> }) => run({}) };
  const services = { data, operations, isTrusted: { value: true } } as unknown as DropDeps;
  return {
    drop: async (...rows) => dropRows(services, ...rows),
    boundary: async (_, error) => void vscode.window.showErrorMessage(String(error)),
  };
}

const elementOf = (node: object) => ({ node }) as unknown as TreeElement<WorkspaceNode>;
