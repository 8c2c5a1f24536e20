import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { auditLogCsv } from '#api/streams/byte-stream.ts';
import { getWorkbookDashboard } from '#api/resources/dashboards.ts';
import { runPythonReport } from '#api/resources/embed.ts';
import { isPlatformError } from '#api/errors.ts';
import { upsertReportByPublicId } from '#api/resources/reports.ts';
import { getEmbedAccess, listWorkbooks } from '#api/resources/workbooks.ts';
import { pick, type } from '../user.ts';
import { describe, it } from '../runner.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

// Each command of a dashboard, with bad input, with what the platform has afterwards, and with a refusal.
describe(
  'the views of the platform',
  () => {
    const workbook = (id: string, name: string) => ({
      kind: 'item',
      ...stage().target,
      item: { type: 'WORKBOOK', id, name },
    });
    const params = (workbookId: string) => ({ deploymentId: stage().target.deploymentId, workbookId });
    const idOf = async (search: string): Promise<string> => {
      const { client } = stage().platform;
      const { deploymentId } = stage().target;
      const { items } = await client.call(listWorkbooks, { params: { deploymentId }, query: { search, first: 5 } });
      assert.ok(items[0], search);
      return items[0].id;
    };
    const audit = async (): Promise<string> => {
      let text = '';
      for await (const part of auditLogCsv(stage().platform.client)) text += new TextDecoder().decode(part);
      return text;
    };

    it('publishes a draft, and opens what is published for reading', async () => {
      const { user, platform } = stage();
      const id = await idOf('Customer segments');
      const open = 'modelbench.dashboard.openPublished';
      assert.match(await user.does(open, workbook(id, 'Customer segments')), /has not been published yet/);
      const publish = 'modelbench.dashboard.publish';
      await user.does(publish, workbook(id, 'Customer segments'), pick('Publish and Allow Embedding'));
      const { dashboardPublished } = await platform.client.call(getWorkbookDashboard, { params: params(id) });
      assert.ok(dashboardPublished);
      await user.does(open, workbook(id, 'Customer segments'));
      const document = vscode.window.activeTextEditor?.document;
      assert.match(document?.fileName ?? '', /Customer segments\.published\.json$/);
      const { permissions } = await vscode.workspace.fs.stat(document?.uri ?? vscode.Uri.file('/'));
      assert.equal(permissions, vscode.FilePermission.Readonly);
    });

    it('attaches a thread to an AI widget', async () => {
      const command = 'modelbench.dashboard.attachThread';
      const said = await stage().user.does(
        command,
        workbook('1', 'Store performance'),
        pick('why'),
        type(' '),
        type('thread-7'),
      );
      assert.match(said, /Enter the id of a chat thread/);
      assert.match(await audit(), /dashboard\.aiWidgetThreadSet[^\n]*thread-7/);
    });

    it('grants and revokes embedded access', async () => {
      const { user, platform } = stage();
      const command = 'modelbench.dashboard.embedAccess';
      const read = async () => (await platform.client.call(getEmbedAccess, { params: params('1') })).data;
      await user.does(command, workbook('1', 'Store performance'), pick('All embed users'), pick('Read'));
      assert.ok((await read()).some(({ allEmbedUsers, action }) => allEmbedUsers === true && action === 'read'));
      await user.does(command, workbook('1', 'Store performance'), pick('All embed users'), pick('None'));
      assert.ok(!(await read()).some(({ allEmbedUsers, action }) => allEmbedUsers === true && action === 'read'));
    });

    it('switches signed embedding off and on, as the platform itself says afterwards', async () => {
      const { user, platform } = stage();
      const chosen = workbook('1', 'Store performance');
      const command = 'modelbench.dashboard.signedEmbedding';
      const publicId = 'dashboard-store-performance';
      // What a Python report needs: the platform refuses it where signed embedding is off.
      const isOff = async (): Promise<boolean> => {
        const run = platform.client.call(runPythonReport, { params: { publicId }, body: { filters: [] } });
        return run.then(
          () => false,
          (error: unknown) => isPlatformError(error, 'forbidden'),
        );
      };
      const said = await user.does(command, chosen, type('no spaces'), type(publicId), pick('Off'));
      assert.match(said, /Enter letters, digits/);
      assert.ok(await isOff());
      await user.does(command, chosen, type(publicId), pick('On'));
      assert.ok(!(await isOff()));
      assert.match(
        await audit(),
        /dashboard\.embeddingDisabled[^]*dashboard\.embeddingEnabled|embeddingEnabled[^]*embeddingDisabled/,
      );
    });

    it('runs a Python report with the filters, shows what it answers, and says what is not a report', async () => {
      const { user, platform, target } = stage();
      const chosen = workbook('1', 'Store performance');
      const command = 'modelbench.dashboard.runPython';
      const publicId = 'dashboard-store-performance';
      const python = 'import json,sys; given = json.load(sys.stdin); print(json.dumps({"echo": given["filters"]}))';
      await platform.client.call(upsertReportByPublicId, {
        params: { deploymentId: target.deploymentId, publicId: 'python-1' },
        body: { name: 'Echo', python },
      });
      const filters = [{ member: 'sales.status', operator: 'equals', values: ['paid'] }];
      const said = await user.does(
        command,
        chosen,
        type(publicId),
        type('python-1'),
        type('{}'),
        type(JSON.stringify(filters)),
      );
      assert.match(said, /Enter a JSON list/);
      const answer: unknown = JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? '');
      assert.deepEqual(answer, { status: 'succeeded', output: { echo: filters } });
      assert.match(await audit(), /report\.pythonRun/);
      const none = await user.does(command, chosen, type(publicId), type('report-01'), type('[]'));
      assert.match(none, /must name a Python report/);
    });

    it('says a refusal of the server and changes nothing', async () => {
      const { user, platform } = stage();
      const chosen = workbook('1', 'Store performance');
      const refused = [
        ['modelbench.dashboard.publish', 'publish', pick('Publish')],
        ['modelbench.dashboard.attachThread', 'ai-widget-thread', pick('why'), type('thread-8')],
        ['modelbench.dashboard.embedAccess', 'embed-access'],
        ['modelbench.dashboard.signedEmbedding', 'embed/dashboard', type('dashboard-store-performance'), pick('Off')],
        ['modelbench.dashboard.open', 'dashboard'],
      ] as const;
      for (const [command, path, ...answers] of refused) {
        await platform.faults([{ kind: 'status', status: 403, path }]);
        const said = await user.does(command, chosen, ...answers);
        assert.match(said, /may not|permission/i, `${command}: ${said}`);
      }
      await platform.faults([]);
      assert.doesNotMatch(await audit(), /thread-8/);
    });
  },
  platformViews,
);
