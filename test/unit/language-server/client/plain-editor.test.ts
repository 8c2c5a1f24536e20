import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleServer } from '#support/bundled-server.ts';
import { type DiskFolder, folderOf, PlainEditor } from '#support/language/plain-editor.ts';
import { jinja, yaml } from '#support/language/raw.ts';

const ORDERS = yaml`
  cubes:
    - name: orders
      sql_table: orders
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
`;
const VIEW = yaml`
  views:
    - name: v
      cubes:
        - join_path: orders
          includes: [id, nobody]
`;
const NOBODY = '`orders` has no member `nobody`.';
const TEMPLATED = jinja`
  {% from "macros/tables.jinja" import table %}
  cubes:
    - name: users
      sql_table: {{ table('users') }}
`;
const MACROS = "{% macro table(name) %}{{ 'public.' ~ name }}{% endmacro %}\n";

const server = folderOf({});
beforeAll(async () => bundleServer(server.path));
afterAll(() => server.remove());

function begun(files: Readonly<Record<string, string>>): readonly [PlainEditor, DiskFolder] {
  const editor = new PlainEditor(join(server.path, 'language-server.js'));
  const folder = folderOf(files);
  onTestFinished(() => {
    editor.end();
    folder.remove();
  });
  return [editor, folder];
}

/** The problems that the editor shows, by the paths in its folder. */
function shownIn(editor: PlainEditor, folder: DiskFolder): Readonly<Record<string, readonly string[]>> {
  const shown = [...editor.problems].filter(([, problems]) => problems.length > 0);
  return Object.fromEntries(
    shown.map(([uri, problems]) => [uri.slice(folder.uri().length + 1), problems.map(({ message }) => message)]),
  );
}

/** Waits until the editor shows problems; a test that waits in vain ends at its limit. */
async function shows(
  editor: PlainEditor,
  folder: DiskFolder,
  problems: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await editor.until(() => JSON.stringify(shownIn(editor, folder)) === JSON.stringify(problems));
  expect(shownIn(editor, folder)).toEqual(problems);
}

describe('the shipped server, with an editor that knows only the protocol', () => {
  // @shows several-folders (server)
  it('reads the folder of which an old editor gives the path', async () => {
    const [editor, folder] = begun({ 'a shop #1/model/o.yml': ORDERS, 'a shop #1/model/v.yml': VIEW });
    await editor.start({ rootPath: join(folder.path, 'a shop #1') });
    await shows(editor, folder, { 'a%20shop%20%231/model/v.yml': [NOBODY] });
    expect(editor.errors).toBe('');
  });

  it('reads the whole model where only its cubes are open', async () => {
    const [editor, folder] = begun({
      'shop/model/cubes/o.yml': ORDERS,
      'shop/model/cubes/t.yml': TEMPLATED,
      'shop/model/macros/tables.jinja': MACROS,
      'shop/model/views/v.yml': VIEW,
      'shop/other/model/o.yml': ORDERS,
    });
    await editor.start({ rootUri: folder.uri('shop/model/cubes') });
    await shows(editor, folder, { 'shop/model/views/v.yml': [NOBODY] });
    expect(editor.errors).toBe('');
  });

  it('forgets a folder that is removed in another spelling', async () => {
    const [editor, folder] = begun({ 'model/o.yml': ORDERS, 'model/v.yml': VIEW });
    await editor.start({ capabilities: { workspace: { workspaceFolders: true } } });
    const added = [{ uri: folder.uri(), name: 'shop' }];
    editor.tell('workspace/didChangeWorkspaceFolders', { event: { added, removed: [] } });
    await shows(editor, folder, { 'model/v.yml': [NOBODY] });
    const removed = [{ uri: `${folder.uri().replaceAll('-', '%2D')}/`, name: 'shop' }];
    editor.tell('workspace/didChangeWorkspaceFolders', { event: { added: [], removed } });
    await shows(editor, folder, {});
    expect(editor.errors).toBe('');
  });

  it('asks an editor that watches no files for what the user renames', async () => {
    const [editor, folder] = begun({ 'model/o.yml': ORDERS, 'model/v.yml': VIEW });
    const { result } = await editor.start({ rootUri: folder.uri() });
    await shows(editor, folder, { 'model/v.yml': [NOBODY] });
    expect(JSON.stringify(result)).toContain('{"pattern":{"glob":"**/*.{yml,yaml,jinja,js,py}","matches":"file"}}');
    renameSync(join(folder.path, 'model/v.yml'), join(folder.path, 'model/w.yml'));
    const files = [{ oldUri: folder.uri('model/v.yml'), newUri: folder.uri('model/w.yml') }];
    editor.tell('workspace/didRenameFiles', { files });
    await shows(editor, folder, { 'model/w.yml': [NOBODY] });
  });

  it('answers nothing after it was shut down in the middle of its work', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`model/o${at}.yml`, ORDERS.replace('orders', `orders_${at}`)]),
    );
    const [editor, folder] = begun(files);
    await editor.ask('initialize', { processId: null, rootUri: folder.uri(), capabilities: {} });
    editor.tell('initialized', {});
    expect(await editor.ask('shutdown')).toMatchObject({ result: null });
    expect(await editor.ask('workspace/symbol', { query: '' })).toMatchObject({ error: { code: -32_600 } });
    editor.tell('exit');
    await editor.until(() => editor.exitCode !== undefined);
    expect([editor.exitCode, editor.errors]).toEqual([0, '']);
  });
});
