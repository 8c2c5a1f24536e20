import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { theExtension } from './extension.ts';
import { problemCodes, problemsThat } from './problems.ts';
import { describe, it } from './runner.ts';

const at = (file: string): vscode.Uri => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  return vscode.Uri.joinPath(folder.uri, 'trouble', file);
};
const cube = (name: string, more = ''): string => `cubes:\n  - name: ${name}\n    sql_table: t\n${more}`;
const view = (...paths: readonly string[]): string =>
  `views:\n  - name: all\n    cubes:\n${paths.map((each) => `      - join_path: ${each}\n        includes: "*"\n        prefix: true\n`).join('')}`;
const views = at.bind(undefined, 'views.yml');

/** What was done to files since someone last waited for it to be noticed. */
const done: (() => Thenable<unknown>)[] = [];

async function doTo(files: () => Thenable<unknown>): Promise<void> {
  done.push(files);
  await files();
}

/** Waits; what was done is done again now and then, because events of files are not reliable. */
async function noticed(wait: Promise<unknown>): Promise<void> {
  const knock = setInterval(() => {
    for (const each of done) each().then(undefined, () => undefined);
  }, 3000);
  try {
    await wait;
  } finally {
    clearInterval(knock);
    done.length = 0;
  }
}

async function write(file: string, text: string | Uint8Array): Promise<vscode.Uri> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  await doTo(() => vscode.workspace.fs.writeFile(at(file), bytes));
  return at(file);
}

const says = async (uri: vscode.Uri, ...codes: readonly string[]): Promise<void> =>
  noticed(problemCodes(uri, (found) => found.length === codes.length && codes.every((code) => found.includes(code))));

/**
 * Makes a folder that VS Code watches. A watcher that comes late to a new folder never watches those that were made in it
 * meanwhile, so each is made alone, and made again where nothing is heard of it.
 */
async function watchedFolder(name: string): Promise<void> {
  const probe = at(`${name}/heard.txt`);
  const watcher = vscode.workspace.createFileSystemWatcher('**/heard.txt');
  const heard = new Promise<true>((resolve) => {
    watcher.onDidCreate(() => resolve(true));
    watcher.onDidChange(() => resolve(true));
  });
  try {
    let attempt = 0;
    do {
      if (++attempt % 20 === 0) await vscode.workspace.fs.delete(at(name), { recursive: true });
      await vscode.workspace.fs.createDirectory(at(name));
      await vscode.workspace.fs.writeFile(probe, new TextEncoder().encode(`${attempt}`));
    } while (!(await Promise.race([heard, delay(250)])));
  } finally {
    watcher.dispose();
  }
  await vscode.workspace.fs.delete(probe);
}

async function move(from: string, to: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(at(from), at(to));
  assert.ok(await vscode.workspace.applyEdit(edit));
}

describe('the language of data models in trouble', () => {
  // @shows rename-moves-files, file-changes
  it('follows a model that is moved, renamed and deleted, with its folder as well', async () => {
    await theExtension().extension.activate();
    await watchedFolder('.');
    await watchedFolder('cubes');
    await write('cubes/one.yml', cube('one'));
    await write('views.yml', view('one'));
    await write('modelbench.json', JSON.stringify({ tenant: 'http://127.0.0.1:9', deployment: '7', modelPath: '' }));
    // Once it is known to be a model, what is gone is missed.
    await move('cubes/one.yml', 'elsewhere/uno.yml');
    await write('views.yml', view('one', 'gone'));
    await says(views(), 'unknown-reference');
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(at('elsewhere'), { recursive: true });
    assert.ok(await vscode.workspace.applyEdit(edit));
    await says(views(), 'unknown-reference', 'unknown-reference');
  });

  // @shows file-changes
  it('follows Git, which changes many files at once past VS Code', async () => {
    const folder = at('cubes').fsPath;
    const files = Array.from({ length: 60 }, (_, each) => ({
      name: `many_${each}`,
      path: path.join(folder, `many_${each}.yml`),
    }));
    const cubes = async (nameOf: (name: string) => string): Promise<unknown> =>
      Promise.all(files.map(async (file) => writeFile(file.path, cube(nameOf(file.name)))));
    await doTo(async () => cubes((name) => name));
    await write('views.yml', view(...files.map(({ name }) => name)));
    await says(views());
    await doTo(async () => cubes((name) => `${name}_new`));
    await noticed(problemsThat(views(), (found) => found.length === files.length));
    await doTo(async () => cubes((name) => name));
    await says(views());
    await doTo(async () => {
      await cubes((name) => name);
      await Promise.all(files.map(async (file) => rm(file.path)));
    });
    await noticed(problemsThat(views(), (found) => found.length === files.length));
  });

  // @shows file-changes
  it('follows a folder that goes and comes whole, past VS Code', async () => {
    await write('cubes/inner/deep.yml', cube('deep'));
    await write('views.yml', view('deep'));
    await says(views());
    await rename(at('cubes/inner').fsPath, path.join(path.dirname(at('.').fsPath), 'outside'));
    await says(views(), 'unknown-reference');
    await rename(path.join(path.dirname(at('.').fsPath), 'outside'), at('cubes/inner').fsPath);
    await says(views());
    await vscode.workspace.fs.delete(at('cubes/inner'), { recursive: true });
    await says(views(), 'unknown-reference');
  });

  // @shows broken-input
  it('calls a file that is not text one problem, and continues beside it', async () => {
    const binary = await write(
      'picture.yml',
      Uint8Array.from({ length: 4096 }, (_, byte) => byte % 256),
    );
    await noticed(problemsThat(binary, (found) => found.length === 1));
    await write('cubes/two.yml', cube('two'));
    await write('views.yml', view('two'));
    await says(views());
    await vscode.workspace.fs.delete(binary);
    await says(binary);
  });

  // @shows broken-input
  it('marks a slip in a file of many thousand lines, and completes in it', async () => {
    const many = Array.from(
      { length: 12_000 },
      (_, each) => `      - name: d${each}\n        sql: d${each}\n        type: string\n`,
    );
    const uri = await write('cubes/huge.yml', cube('huge', `    titel: x\n    dimensions:\n${many.join('')}`));
    const document = await vscode.workspace.openTextDocument(uri);
    await says(uri, 'unknown-key');
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(3, 4, 3, 9), 'title');
    edit.insert(
      uri,
      new vscode.Position(document.lineCount - 1, 0),
      '      - name: last\n        sql: "{d11999}"\n        typ',
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
    const end = document.lineAt(document.lineCount - 1).range.end;
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      end,
    );
    assert.ok(items.some(({ label }) => label === 'type'));
    await vscode.workspace.fs.delete(uri);
  });

  // @shows diagnostics
  it('obeys settings at once: another severity, off, and on again', async () => {
    const settings = vscode.workspace.getConfiguration('modelbench.language');
    const set = async (value: object | undefined): Promise<void> =>
      settings.update('severity', value, vscode.ConfigurationTarget.Global);
    const uri = await write('cubes/old.yml', cube('old', '    shown: true\n'));
    await says(uri, 'deprecated');
    await set({ deprecated: 'error' });
    await problemsThat(uri, (found) => found.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error));
    await set({ deprecated: 'off' });
    await says(uri);
    await set(undefined);
    await says(uri, 'deprecated');
  });

  // @shows restart
  it('starts its server again when that is killed, and knows what it knew', async () => {
    const { fork } = childProcess;
    const started = new Promise<childProcess.ChildProcess>((resolve) => {
      const forked = (...given: Parameters<typeof fork>): childProcess.ChildProcess => {
        const child = fork(...given);
        resolve(child);
        return child;
      };
      Object.assign(childProcess, { fork: forked });
    });
    try {
      await vscode.commands.executeCommand('modelbench.language.restart');
      const server = await started;
      const uri = at('cubes/old.yml');
      await says(uri, 'deprecated');
      Object.assign(childProcess, { fork });
      server.kill('SIGKILL');
      await write('cubes/old.yml', cube('old', '    shown: true\n    titel: x\n'));
      await says(uri, 'deprecated', 'unknown-key');
    } finally {
      Object.assign(childProcess, { fork });
    }
    await vscode.workspace.fs.delete(at('.'), { recursive: true });
    await says(views());
  });
});
