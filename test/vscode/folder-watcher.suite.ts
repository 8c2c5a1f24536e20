import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { watchOutside } from '#features/folders/vscode/folder-watcher.ts';
import { describe, it } from './runner.ts';

describe('a watched folder', () => {
  it('reports what another program writes, and nothing that an editor saves', async () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'watch-suite-')));
    const model = path.join(root, 'model');
    mkdirSync(model);
    writeFileSync(path.join(model, 'open.yml'), 'a: 1\n');
    const told = new Set<string>();
    let hear = (): void => undefined;
    const watch = watchOutside(vscode.Uri.file(model), ({ path: file }) => {
      told.add(path.basename(file));
      hear();
    });
    const until = (isTold: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        hear = () => {
          if (isTold()) resolve();
        };
      });
    try {
      const ready = until(() => told.size > 0);
      // A watcher begins to work some time after it was created: until it reports a file, another one is written.
      const knock = setInterval(() => writeFileSync(path.join(model, `new_${Date.now()}.yml`), ''), 200);
      await ready;
      clearInterval(knock);
      const document = await vscode.workspace.openTextDocument(path.join(model, 'open.yml'));
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# saved\n'));
      await document.save();
      const outside = until(() => told.has('last.yml'));
      writeFileSync(path.join(model, '.hidden.yml'), '');
      writeFileSync(path.join(model, 'last.yml'), 'b: 1\n');
      await outside;
      assert.ok(!told.has('open.yml') && !told.has('.hidden.yml'), [...told].join(', '));
      // The file is still open; now another program writes it.
      const changed = until(() => told.has('open.yml'));
      writeFileSync(path.join(model, 'open.yml'), 'a: 2\n');
      await changed;
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    } finally {
      watch.dispose();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
