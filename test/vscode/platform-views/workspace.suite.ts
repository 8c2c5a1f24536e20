import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createNotification, listNotifications } from '#api/resources/notifications.ts';
import { listReports } from '#api/resources/reports.ts';
import { listWorkbooks } from '#api/resources/workbooks.ts';
import { answered, formShown, saveAs, saveWith } from '../editors.ts';
import { problems } from '../problems.ts';
import { pick, press, type } from '../user.ts';
import { describe, it } from '../runner.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

// Objects of the workspace as documents, with what the platform has afterwards.
describe(
  'the views of the platform',
  () => {
    const item = (kind: 'REPORT' | 'WORKBOOK', id: string, name: string, publicId?: string) => ({
      kind: 'item',
      ...stage().target,
      item: { type: kind, id, name, publicId },
    });
    const params = () => ({ deploymentId: stage().target.deploymentId });
    const reports = async (search: string) =>
      (await stage().platform.client.call(listReports, { params: params(), query: { search, first: 50 } })).items;
    const workbooks = async (search: string) =>
      (await stage().platform.client.call(listWorkbooks, { params: params(), query: { search, first: 50 } })).items;
    const notifications = async () =>
      (await stage().platform.client.call(listNotifications, { params: params() })).data;

    it('makes a report by its public id, names the wrong field, and shows the difference before it saves', async () => {
      const { user, target } = stage();
      await user.does('modelbench.workspace.create', target, pick('Report'), type('no spaces'), type('weekly-x'));
      await user.answering(async () => assert.equal(await saveAs({ name: 7 }), false));
      assert.match(problems(), /name/);
      const said = await user.answering(async () => saveAs({ name: 'Weekly', folderId: '2' }), press('Save'));
      assert.match(said, /Save the report “weekly-x”\?[^]*Weekly/);
      assert.deepEqual(
        (await reports('Weekly')).map(({ publicId, folderId }) => [publicId, folderId]),
        [['weekly-x', '2']],
      );
    });

    it('changes a report of the tree, and says what the server refuses', async () => {
      const { user } = stage();
      const [report] = await reports('Weekly');
      assert.ok(report);
      await user.does('modelbench.workspace.edit', item('REPORT', report.id, 'Weekly', 'weekly-x'));
      await user.answering(
        async () => assert.equal(await saveAs({ name: 'Weekly', folderId: '999' }), false),
        press('Save'),
      );
      assert.match(problems(), /there is no folder 999/);
      assert.equal((await reports('Weekly'))[0]?.folderId, '2');
      await user.answering(async () => saveAs({ name: 'Monthly', folderId: null }), press('Save'));
      assert.equal((await reports('Monthly'))[0]?.publicId, 'weekly-x');
    });

    it('renames a report and leaves it where it is', async () => {
      const { user } = stage();
      const [report] = await reports('Monthly');
      assert.ok(report);
      await user.does(
        'modelbench.workspace.rename',
        item('REPORT', report.id, 'Monthly', 'weekly-x'),
        type('Month by month'),
      );
      assert.deepEqual(
        (await reports('Month by month')).map(({ publicId, folderId }) => [publicId, folderId]),
        [['weekly-x', report.folderId]],
      );
      await user.does(
        'modelbench.workspace.rename',
        item('REPORT', report.id, 'Month by month', 'weekly-x'),
        type('Monthly'),
      );
    });

    it('shows a document as a form, and the form as JSON again', async () => {
      const { user } = stage();
      const [report] = await reports('Monthly');
      assert.ok(report);
      await user.does('modelbench.workspace.edit', item('REPORT', report.id, 'Monthly', 'weekly-x'));
      await user.does('modelbench.document.editFields', undefined);
      await formShown(true);
      await vscode.commands.executeCommand('workbench.action.reopenTextEditor');
      await formShown(false);
    });

    it('makes a workbook by its slug', async () => {
      const { user, target } = stage();
      await user.does('modelbench.workspace.create', target, pick('Workbook'), type('by-hand'));
      await user.answering(async () => saveAs({ name: 'By hand' }), press('Save'));
      assert.equal((await workbooks('By hand'))[0]?.slug, 'by-hand');
    });

    it('connects a report to a spreadsheet', async () => {
      const { user } = stage();
      const [report] = await reports('Monthly');
      assert.ok(report);
      const location = item('REPORT', report.id, 'Monthly', 'weekly-x');
      const command = 'modelbench.workspace.connectSpreadsheet';
      const said = await user.does(command, location, type(' '), type('sheet-9'), type('Sheet1!A1'), type('D9'));
      assert.match(said, /Enter the id of the spreadsheet/);
      const [connected] = await reports('Monthly');
      assert.deepEqual(connected?.externalWorkbookPlacements, [
        { workbookId: 'sheet-9', resultLocation: 'Sheet1!A1', endResultCell: 'D9' },
      ]);
      assert.match(await user.does(command, item('WORKBOOK', '1', 'Store performance')), /only reports are connected/);
      await user.does('modelbench.selectDeployment', stage().target);
      await user.does(
        'modelbench.workspace.search',
        undefined,
        pick('Reports of a Spreadsheet…'),
        type('sheet-9'),
        pick('Monthly'),
        pick('Copy ID'),
        pick(report.id),
      );
      assert.equal(await vscode.env.clipboard.readText(), report.id);
    });

    it('makes, lists, changes and deletes notifications; exactly one dashboard', async () => {
      const { user, target } = stage();
      const before = await notifications();
      await user.does('modelbench.notification.create', target);
      const both = { name: 'Mine', dashboardId: 1, dashboardPublicId: 'dashboard-store-performance' };
      await user.answering(async () => assert.equal(await saveAs(both), false));
      assert.match(problems(), /exactly one of dashboardId and dashboardPublicId/);
      const good = { name: 'Mine', dashboardPublicId: 'dashboard-store-performance', schedule: '0 8 * * 1' };
      const made = vscode.window.activeTextEditor?.document;
      assert.ok(made);
      await user.answering(async () => saveAs(good), press('Create'));
      await answered(made);
      assert.equal((await notifications()).length, before.length + 1);
      await user.does(
        'modelbench.notification.show',
        target,
        pick('By Dashboard…'),
        type('dashboard-store-performance'),
        pick('Mine'),
      );
      await user.answering(async () => saveWith({ name: 'Yours', enabled: false }), press('Save'));
      assert.ok((await notifications()).some(({ name, enabled }) => name === 'Yours' && enabled === false));
      await user.does('modelbench.notification.delete', target, pick('Yours'), type('Yours'));
      assert.equal((await notifications()).length, before.length);
    });

    it('lists notifications by each filter, and says that there is none', async () => {
      const { user, platform, target } = stage();
      const embed = { embedTenantName: 'wholesale', externalId: 'otto' };
      const body = {
        name: 'Filtered',
        dashboardPublicId: 'dashboard-store-performance',
        recipients: [{ userId: '3' }, embed],
      };
      await platform.client.call(createNotification, { params: params(), body });
      const show = 'modelbench.notification.show';
      const filters = [
        [pick('By User…'), type('3')],
        [pick('By Embed User…'), pick('wholesale'), type('otto')],
      ];
      for (const answers of filters) {
        await user.does(show, target, ...answers, pick('Filtered'));
        assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"name": "Filtered"/);
      }
      const none = await user.does(show, target, pick('By User…'), type('999'));
      assert.match(none, /no such notification/);
    });

    it('duplicates a workbook', async () => {
      const { user } = stage();
      await user.does('modelbench.workspace.duplicate', item('WORKBOOK', '1', 'Store performance'), pick('My copy'));
      assert.equal((await workbooks('Store performance')).length, 2);
    });
  },
  platformViews,
);
