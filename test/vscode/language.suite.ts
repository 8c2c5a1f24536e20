import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import * as vscode from 'vscode';
import { removeOlderThan } from '#features/language/vscode/compiled-code.ts';
import { theExtension } from './extension.ts';
import { User, type } from './user.ts';
import { codesOf, problemCodes } from './problems.ts';
import { describe, it } from './runner.ts';

const ORDERS = `cubes:
  - name: shop_orders
    sql_table: orders
    joins:
      - name: shop_users
        relationship: many_to_one
        sql: "{CUBE}.user_id = {shop_users.id}"
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: status
        sql: status
        type: string
    measures:
      - name: count
        type: count
        drill_members: [id, status, shop_users.city]
`;
const USERS = `cubes:
  - name: shop_users
    sql_table: users
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: city
        sql: city
        type: string
`;
const VIEW = `views:
  - name: shop
    cubes:
      - join_path: shop_orders
        includes: [count, staus]
`;

function at(folder: number, path: string): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.[folder];
  assert.ok(found, `the window has a folder ${folder}`);
  return vscode.Uri.joinPath(found.uri, path);
}

const orders = (): vscode.Uri => at(0, 'shop/cubes/orders.yml');
const view = (): vscode.Uri => at(0, 'shop/views/shop.yml');

/** Shows a file until the extensions have heard of it. */
async function lookAt(uri: vscode.Uri): Promise<void> {
  const isVisible = (): boolean =>
    vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
  if (isVisible()) return;
  const heard = new Promise<void>((resolve) => {
    const listening = vscode.window.onDidChangeVisibleTextEditors(() => {
      if (!isVisible()) return;
      listening.dispose();
      resolve();
    });
  });
  await vscode.window.showTextDocument(uri);
  await heard;
}

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** A file that is not a model, so that nothing is reported in it until its folder is linked. */
const OTHER = 'services:\n  cubes: 1\n';

/** Waits until the model of a folder is linked. */
async function linked(folder: number): Promise<void> {
  const other = at(folder, 'shop/docker-compose.yml');
  has(await problemCodes(other, (found) => found.length > 0), 'unknown-section');
  await vscode.workspace.fs.delete(other);
  await problemCodes(other, (found) => found.length === 0);
}

/** The place behind the first occurrence of `before` in a document. */
async function behind(uri: vscode.Uri, before: string): Promise<vscode.Position> {
  const document = await vscode.workspace.openTextDocument(uri);
  const offset = document.getText().indexOf(before);
  assert.notEqual(offset, -1, `${uri.path} has “${before}”`);
  return document.positionAt(offset + before.length);
}

async function ask<T>(command: string, ...args: readonly unknown[]): Promise<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

async function labels(uri: vscode.Uri, before: string): Promise<readonly string[]> {
  const list = await ask<vscode.CompletionList>('vscode.executeCompletionItemProvider', uri, await behind(uri, before));
  return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}

function has(found: readonly string[], ...wanted: readonly string[]): void {
  for (const each of wanted) assert.ok(found.includes(each), `“${each}” in ${found.join(', ')}`);
}

describe('the language of data models', () => {
  // @shows works-on-opening
  it('is known as soon as a folder has a model: closed files have problems, others are left alone', async () => {
    await theExtension().extension.activate();
    const other = at(0, 'shop/docker-compose.yml');
    await write(other, OTHER);
    await write(orders(), ORDERS);
    await write(at(0, 'shop/cubes/users.yml'), USERS);
    await write(view(), VIEW);
    has(await problemCodes(view(), (found) => found.length > 0), 'unknown-reference');
    // The files may have become known one after the other.
    assert.deepEqual(await problemCodes(orders(), (found) => found.length === 0), []);
    assert.deepEqual(codesOf(other), []);
  });

  // @shows diagnostics
  it('is known once a folder is linked', async () => {
    await write(
      at(0, 'modelbench.json'),
      JSON.stringify({ tenant: 'http://127.0.0.1:9', deployment: '1', modelPath: 'shop' }),
    );
    await linked(0);
    has(await problemCodes(view(), (found) => found.length > 0), 'unknown-reference');
    assert.deepEqual(await problemCodes(orders(), (found) => found.length === 0), []);
  });

  // @shows completion-of-keys, completion-of-values, completion-of-members, completion-in-views
  it('completes keys, members of other files, and join paths', async () => {
    has(await labels(orders(), '        sql: status\n        '), 'title', 'format');
    has(await labels(orders(), 'drill_members: [id, status, shop_users.'), 'city');
    has(await labels(view(), 'join_path: '), 'shop_orders', 'shop_users');
  });

  // @shows hover, definition, references
  it('explains, and leads to definitions and uses in other files', async () => {
    const position = await behind(orders(), 'shop_users.ci');
    const hovers = await ask<vscode.Hover[]>('vscode.executeHoverProvider', orders(), position);
    const words = hovers.flatMap(({ contents }) =>
      contents.map((part) => (typeof part === 'string' ? part : part.value)),
    );
    assert.match(words.join('\n'), /shop_users\.city.*dimension/);
    const links = await ask<(vscode.LocationLink | vscode.Location)[]>(
      'vscode.executeDefinitionProvider',
      orders(),
      position,
    );
    assert.ok(links[0] && 'targetUri' in links[0] && links[0].targetUri.path.endsWith('cubes/users.yml'));
    const uses = await ask<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      orders(),
      await behind(orders(), '- name: sta'),
    );
    assert.deepEqual(
      uses.map(({ range }) => range.start.line).sort((a, b) => a - b),
      [12, 18],
    );
  });

  // @shows rename
  it('renames across files, by an edit that VS Code can preview', async () => {
    const position = await behind(orders(), '- name: cou');
    const edit = await ask<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', orders(), position, 'number');
    const changed = edit.entries().map(([{ path }, edits]) => `${path.split('/').at(-1)} ${edits.length}`);
    has(changed, 'orders.yml 1', 'shop.yml 1');
    assert.equal(changed.length, 2);
  });

  // @shows symbols
  it('outlines documents and finds symbols of the whole model', async () => {
    const [cube] = await ask<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', orders());
    assert.equal(cube?.name, 'shop_orders');
    has(cube?.children.map(({ name }) => name) ?? [], 'status', 'count');
    const found = await ask<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', 'city');
    has(
      found.map(({ name }) => name),
      'city',
    );
  });

  // @shows quick-fixes
  it('mends from the lightbulb', async () => {
    const position = await behind(view(), 'includes: [count, ');
    const range = new vscode.Range(position, position);
    const actions = await ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', view(), range);
    const mend = actions.find(({ title }) => title.includes('status'));
    assert.ok(mend?.edit, actions.map(({ title }) => title).join(', '));
    assert.ok(await vscode.workspace.applyEdit(mend.edit));
    assert.deepEqual(await problemCodes(view(), (found) => found.length === 0), []);
    assert.match((await vscode.workspace.openTextDocument(view())).getText(), /\[count, status\]/);
  });

  // @shows folding, semantic-tokens, inlay-hints, code-lenses, used-by
  it('colours, folds, counts uses, and says types and cardinalities', async () => {
    const tokens = await ask<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', orders());
    assert.ok(tokens.data.length > 0);
    const folds = await ask<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', orders());
    assert.ok(folds.some(({ start }) => start === 1));
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', orders(), 20);
    has(
      lenses.map(({ command }) => command?.title ?? ''),
      '2 uses',
      'Preview Data',
      'Query This',
      'Compiled SQL',
    );
    const whole = new vscode.Range(0, 0, 30, 0);
    const hints = await ask<vscode.InlayHint[]>('vscode.executeInlayHintProvider', orders(), whole);
    has(
      hints.map(({ label }) => (typeof label === 'string' ? label : '')),
      ': string',
    );
    const items = await ask<vscode.CallHierarchyItem[]>(
      'vscode.prepareCallHierarchy',
      orders(),
      await behind(orders(), '- name: sta'),
    );
    const calls = await ask<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', items[0]);
    has(
      calls.map(({ from }) => from.name),
      'shop_orders.count',
    );
  });

  // @shows highlight, extends
  it('marks the uses of a name in the file, and knows what extends what', async () => {
    const at = await behind(orders(), '- name: sta');
    const marks = await ask<vscode.DocumentHighlight[]>('vscode.executeDocumentHighlights', orders(), at);
    assert.equal(marks.length, 2);
    const [item] = await ask<vscode.TypeHierarchyItem[]>('vscode.prepareTypeHierarchy', orders(), at);
    assert.equal(item?.name, 'shop_orders');
    assert.deepEqual(await ask('vscode.provideSupertypes', item), []);
  });

  // @shows selection, document-links, signature-help, indentation, templates
  it('helps with arguments, indents a new line, widens the selection, and leads to templates', async () => {
    const text = `${ORDERS}      - name: of_period\n        type: number\n        sql: "{FILTER_PARAMS.shop_orders.status.filter(\n`;
    const typed = await vscode.workspace.openTextDocument({ language: 'yaml', content: text });
    const help = await ask<vscode.SignatureHelp>(
      'vscode.executeSignatureHelpProvider',
      typed.uri,
      await behind(typed.uri, 'status.filter('),
    );
    assert.match(help.signatures[0]?.label ?? '', /^filter\(column/);

    const fresh = await vscode.workspace.openTextDocument({
      language: 'yaml',
      content: 'cubes:\n  - name: a\n    measures:\n\n',
    });
    const options = { tabSize: 2, insertSpaces: true };
    const line = new vscode.Position(3, 0);
    const edits = await ask<vscode.TextEdit[]>('vscode.executeFormatOnTypeProvider', fresh.uri, line, '\n', options);
    assert.deepEqual(
      edits.map(({ newText }) => newText),
      ['      '],
    );

    const position = await behind(orders(), 'shop_users.ci');
    const [range] = await ask<vscode.SelectionRange[]>('vscode.executeSelectionRangeProvider', orders(), [position]);
    const { parent } = range ?? {};
    assert.ok(range && parent?.range.contains(range.range) && parent.parent);

    const template = at(0, 'shop/cubes/templated.yml.jinja');
    await write(at(0, 'shop/macros.jinja'), '{% macro x() %}{% endmacro %}\n');
    await write(template, '{% from "macros.jinja" import x %}\ncubes:\n  - name: templated\n    sql_table: t\n');
    await vscode.workspace.openTextDocument(template);
    const [link] = await ask<vscode.DocumentLink[]>('vscode.executeLinkProvider', template);
    assert.match(link?.target?.path ?? '', /shop\/macros\.jinja$/);
  });

  // @shows quick-fixes, extract-view
  it('extracts a view, and mends all that is obvious at once', async () => {
    const titles = async (
      uri: vscode.Uri,
      range: vscode.Range,
      kind: vscode.CodeActionKind,
    ): Promise<readonly string[]> =>
      (await ask<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range, kind.value)).map(
        ({ title }) => title,
      );
    const position = await behind(orders(), '- name: shop_or');
    const extract = await titles(orders(), new vscode.Range(position, position), vscode.CodeActionKind.RefactorExtract);
    assert.equal(extract.length, 1);
    const content = 'cubes:\n  - name: loose\n    sql_table: t\n    shown: true\n';
    const { uri } = await vscode.workspace.openTextDocument({ language: 'yaml', content });
    await problemCodes(uri, (found) => found.includes('deprecated'));
    const all = await titles(uri, new vscode.Range(0, 0, 0, 0), vscode.CodeActionKind.SourceFixAll);
    assert.deepEqual(all, ['Fix all problems that have an obvious fix']);
  });

  // @shows one-table
  it('saves its schema for other editors where the user says', async () => {
    const target = at(0, 'exported.schema.json');
    const user = new User();
    try {
      await user.does('modelbench.language.exportSchema', undefined, type(target.fsPath));
    } finally {
      user.leave();
    }
    const schema = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(target))) as object;
    assert.ok('definitions' in schema && 'additionalProperties' in schema);
    await vscode.workspace.fs.delete(target);
  });

  // @shows formatting
  it('formats and keeps comments', async () => {
    const uri = at(0, 'shop/cubes/untidy.yml');
    await write(uri, 'cubes:\n    - name: untidy # why\n      sql_table:   t\n');
    await lookAt(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await ask<vscode.TextEdit[]>('vscode.executeFormatDocumentProvider', uri, options);
    const edit = new vscode.WorkspaceEdit();
    edit.set(uri, edits);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), 'cubes:\n    - name: untidy # why\n      sql_table: t\n');
    assert.ok(await document.save());
    await vscode.workspace.fs.delete(uri);
  });

  // @shows snippets, standalone-documents
  it('works in an unsaved document of no folder', async () => {
    const content = 'cubes:\n  - name: loose\n    sql_table: t\n    shown: true\n    \n';
    const { uri } = await vscode.workspace.openTextDocument({ language: 'yaml', content });
    has(await problemCodes(uri, (found) => found.length > 0), 'deprecated');
    has(await labels(uri, 'shown: true\n    '), 'dimensions', 'measures');
  });

  // @shows several-folders
  it('keeps the models of two folders apart', async () => {
    const other = at(1, 'shop/cubes/orders.yml');
    await write(at(1, 'shop/docker-compose.yml'), OTHER);
    await write(other, ORDERS.replace('- name: status', '- name: state').replace('status, shop_users.city', 'nope'));
    await write(
      at(1, 'modelbench.json'),
      JSON.stringify({ tenant: 'http://127.0.0.1:9', deployment: '2', modelPath: 'shop' }),
    );
    await linked(1);
    const found = await problemCodes(other, (list) => list.length > 0);
    has(found, 'unknown-reference');
    assert.ok(!found.includes('duplicate-name'));
    assert.deepEqual(codesOf(orders()), []);
    has(await labels(other, 'drill_members: [id, '), 'state');
  });

  // @shows scripts, engine-check
  it('has the engine compile a model after a save, and marks what only it can know', async () => {
    const uri = at(0, 'shop/cubes/computed.js');
    const text = "cube(`computed`, { sql: `select 1`, measures: { rows: { type: ['coun'].join('') } } });\n";
    await write(uri, `${text}\n`);
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, 9, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
    // Only what the user has seen is compiled: the tests before this one wrote files that no editor showed.
    for (const file of await vscode.workspace.findFiles(new vscode.RelativePattern(at(0, ''), '**/*.{yml,jinja,js}'))) {
      await lookAt(file);
    }
    await lookAt(uri);
    await vscode.commands.executeCommand('modelbench.language.chooseScripts', 'run');
    assert.ok(await document.save());
    has(await problemCodes(uri, (found) => found.length > 0), 'engine');
    const [problem] = vscode.languages.getDiagnostics(uri);
    assert.match(document.getText(problem?.range), /^type|^\['coun'/);
    assert.match(problem?.message ?? '', /must be one of/);
  });

  it('keeps what V8 compiled of its server in the storage of the extension', async () => {
    const { fork } = childProcess;
    const started = new Promise<childProcess.ForkOptions | undefined>((resolve) => {
      Object.assign(childProcess, {
        fork: (...given: Parameters<typeof fork>) => {
          resolve(given[2]);
          return fork(...given);
        },
      });
    });
    try {
      await vscode.commands.executeCommand('modelbench.language.restart');
      const folder = (await started)?.env?.['NODE_COMPILE_CACHE'] ?? 'nothing';
      assert.match(folder, /globalStorage.modelbench\.modelbench.language-server.\d+\.\d+\.\d+$/);
    } finally {
      Object.assign(childProcess, { fork });
    }
    has(await problemCodes(at(1, 'shop/cubes/orders.yml'), (found) => found.length > 0), 'unknown-reference');
  });

  it('removes what another version of the extension kept', async () => {
    for (const version of ['0.9.0', '1.0.0']) await write(at(0, `kept/${version}/node/code`), 'x');
    await removeOlderThan(at(0, 'kept/1.0.0'));
    assert.deepEqual(await vscode.workspace.fs.readDirectory(at(0, 'kept')), [['1.0.0', vscode.FileType.Directory]]);
    await vscode.workspace.fs.delete(at(0, 'kept'), { recursive: true });
  });
});
