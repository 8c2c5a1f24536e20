import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { getWorkbookDashboard, updateWorkbookDashboard } from '#api/resources/dashboards.ts';
import { listWorkbooks } from '#api/resources/workbooks.ts';
import { showsItsFile } from '../editors.ts';
import { escape, pick, press } from '../user.ts';
import { describe, it } from '../runner.ts';
import { stage, platformViews } from '../signed-in-stage.ts';

// Drafts of dashboards with what else is going on: edits that are not saved, colleagues, names of the model.
describe(
  'the views of the platform',
  () => {
    const id = '1';
    const row = () => ({ kind: 'item', ...stage().target, item: { type: 'WORKBOOK', id, name: 'Store performance' } });
    const params = () => ({ deploymentId: stage().target.deploymentId, workbookId: id });
    const dashboard = async () => stage().platform.client.call(getWorkbookDashboard, { params: params() });
    const colleague = async (change: object): Promise<void> => {
      const { dashboardDraft } = await dashboard();
      await stage().platform.client.call(updateWorkbookDashboard, {
        params: params(),
        body: { dashboardDraft: { ...dashboardDraft, ...change } },
      });
    };
    const open = async (): Promise<vscode.TextDocument> => {
      await stage().user.does('modelbench.dashboard.open', row());
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      assert.match(document.fileName, /Store performance\.dashboard\.json$/);
      await showsItsFile(document);
      return document;
    };
    const change = async (document: vscode.TextDocument, edit: (draft: Draft) => object): Promise<void> => {
      const draft = JSON.parse(document.getText()) as Draft;
      const changed = new vscode.WorkspaceEdit();
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      changed.replace(document.uri, whole, `${JSON.stringify(edit(draft), undefined, 2)}\n`);
      await vscode.workspace.applyEdit(changed);
    };
    const publish = 'modelbench.dashboard.publish';

    it('publishes what the editor shows after asking to save it, and says what changes for others', async () => {
      const { user } = stage();
      await user.does(publish, row(), pick('Publish'));
      const document = await open();
      await change(document, (draft) => ({ ...draft, title: 'Typed and not saved' }));
      const closed = await user.does(publish, row());
      assert.match(closed, /changes to the draft of “Store performance” are not saved/);
      await user.does(publish, row(), press('Publish Without Them…'), pick('Publish'));
      assert.notEqual((await dashboard()).dashboardPublished?.['title'], 'Typed and not saved');
      await user.does(publish, row(), press('Save and Publish…'), pick('Show Difference'), pick('Publish'));
      assert.equal((await dashboard()).dashboardPublished?.['title'], 'Typed and not saved');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('asks before it publishes a colleague’s draft that is newer than the editor’s', async () => {
      const { user } = stage();
      await open();
      await colleague({ description: 'Not looked at' });
      await user.does(publish, row(), escape);
      assert.match(user.asked, /newer draft of “Store performance” than your editor shows/);
      assert.notEqual((await dashboard()).dashboardPublished?.['description'], 'Not looked at');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('keeps the drafts of a workbook and of its copy apart', async () => {
      const { user, platform, target } = stage();
      await user.does('modelbench.workspace.duplicate', row(), pick('My copy'));
      const { items } = await platform.client.call(listWorkbooks, {
        params: { deploymentId: target.deploymentId },
        query: { search: 'Store performance', first: 9 },
      });
      const copy = items.find((each) => each.id !== id);
      assert.ok(copy);
      const mine = await open();
      await change(mine, (draft) => ({ ...draft, title: 'Of the first' }));
      const item = { type: 'WORKBOOK', id: copy.id, name: 'Store performance' };
      await user.does('modelbench.dashboard.open', { ...row(), item });
      const theirs = vscode.window.activeTextEditor?.document;
      assert.match(theirs?.fileName ?? '', /Store performance\.dashboard\.json$/);
      assert.doesNotMatch(theirs?.getText() ?? '', /Of the first/);
      assert.match(mine.getText(), /Of the first/);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.window.showTextDocument(mine);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('marks a member that the data model does not have, and takes the mark back', async () => {
      const document = await open();
      const query = (measure: string) => (draft: Draft) => ({
        ...draft,
        widgets: draft.widgets.map((widget) =>
          widget.id === 'trend' ? { ...widget, config: { query: { measures: [measure] } } } : widget,
        ),
      });
      await change(document, query('sales.revenu'));
      await marked(document.uri, (messages) =>
        /no measure “sales\.revenu”: did you mean “sales\.revenue”/.test(messages),
      );
      await change(document, query('sales.revenue'));
      await marked(document.uri, (messages) => messages === '');
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });
  },
  platformViews,
);

interface Draft {
  readonly widgets: readonly { readonly id: string }[];
}

/** Resolves once what is marked in a document is so. */
async function marked(uri: vscode.Uri, isSo: (messages: string) => boolean): Promise<void> {
  const messages = (): string =>
    vscode.languages
      .getDiagnostics(uri)
      .map(({ message }) => message)
      .join('\n');
  if (isSo(messages())) return;
  await new Promise<void>((resolve) => {
    const listening = vscode.languages.onDidChangeDiagnostics(() => {
      if (!isSo(messages())) return;
      listening.dispose();
      resolve();
    });
  });
}
