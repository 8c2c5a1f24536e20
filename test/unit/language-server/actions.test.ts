import { describe, expect, it } from 'vitest';
import type { CodeAction, TextEdit } from 'vscode-languageserver';
import { codeActions } from '#language-server/ide/actions.ts';
import { type Fixture, fixture } from './fixture.ts';
import { shopAt } from './shop.ts';

function actions({ opened, offset, workspace }: Fixture, canCreateFiles = true): CodeAction[] {
  const at = opened.positions.positionAt(offset);
  return codeActions(opened, { start: at, end: at }, undefined, { workspace, canCreateFiles, severity: {} });
}

/** A file after an action, by the action's title. */
function after(model: Fixture, title: string, path: string): string {
  const edits = actions(model).find((action) => action.title === title)?.edit?.changes ?? {};
  const opened = model.file(path);
  let { text } = opened.file;
  const own: readonly TextEdit[] = edits[opened.uri] ?? [];
  for (const { range, newText } of own)
    text =
      text.slice(0, opened.positions.offsetAt(range.start)) +
      newText +
      text.slice(opened.positions.offsetAt(range.end));
  return text;
}

const users = (dimensions: string): string => `#- users.yml
cubes:
  - name: users
    sql_table: users
${dimensions}    measures:
      - name: count
        type: count
#- orders.yml
cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: us$0ers
        relationship: many_to_one
        sql: "{CUBE}.user_id = {users}.id"
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
`;

describe('a primary key that joins need', () => {
  it.each([
    [
      'the dimension that looks like it, in another file',
      'Make `id` the primary key of `users`',
      '    dimensions:\n      - name: city\n        sql: city\n        type: string\n      - name: id\n        sql: id\n        type: number\n',
      '    dimensions:\n      - name: city\n        sql: city\n        type: string\n      - name: id\n        sql: id\n        type: number\n        primary_key: true\n',
    ],
    [
      'one in a flow mapping, named after the cube',
      'Make `user_id` the primary key of `users`',
      '    dimensions:\n      - {name: user_id, sql: id, type: number}\n',
      '    dimensions:\n      - {name: user_id, sql: id, type: number, primary_key: true}\n',
    ],
    [
      'a new dimension in the list',
      'Add a primary key `id` to `users`',
      '    dimensions: # known\n      - name: city\n        sql: city\n        type: string\n',
      '    dimensions: # known\n      - name: id\n        sql: id\n        type: number\n        primary_key: true\n      - name: city\n        sql: city\n        type: string\n',
    ],
    [
      'a new list of dimensions',
      'Add a primary key `id` to `users`',
      '',
      '    dimensions:\n      - name: id\n        sql: id\n        type: number\n        primary_key: true\n',
    ],
  ])('is %s', (_, title, before, expected) => {
    const model = fixture(users(before));
    expect(after(model, title, 'users.yml')).toBe(fixture(users(expected)).file('users.yml').file.text);
  });

  it('is no longer missed when it is there', () => {
    const mended = after(fixture(users('')), 'Add a primary key `id` to `users`', 'users.yml');
    const [, orders = ''] = users('').split('#- orders.yml\n');
    const model = fixture(`#- users.yml\n${mended}#- orders.yml\n${orders}`);
    expect(actions(model).flatMap(({ diagnostics }) => diagnostics ?? [])).toEqual([]);
  });
});

describe('a view of a cube', () => {
  const title = 'Create a view of `orders`';
  const view = `views:
  - name: orders_view
    cubes:
      - join_path: orders
        includes: "*"
      - join_path: orders.users
        prefix: true
        includes: "*"
`;

  it('comes in a file of its own, with the cubes that it joins without multiplying rows', () => {
    const model = fixture(shopAt('cubes/orders.yml', '- name: ord'));
    const edit = actions(model).find((action) => action.title === title)?.edit;
    expect(edit?.documentChanges).toEqual([
      { kind: 'create', uri: 'memory:///model/views/orders_view.yml', options: { ignoreIfExists: true } },
      expect.objectContaining({ edits: [expect.objectContaining({ newText: view })] }),
    ]);
  });

  it('goes to the end of the file, or under its `views:`, where no file can be made; its name is free', () => {
    const cube = 'cubes:\n  - name: a$0\n    sql_table: t\n';
    const one = fixture(cube);
    const edits = (model: Fixture): string =>
      (actions(model, false)[0]?.edit?.changes?.[model.opened.uri] ?? []).map(({ newText }) => newText).join('');
    expect(edits(one)).toBe('views:\n  - name: a_view\n    cubes:\n      - join_path: a\n        includes: "*"\n');
    const two = fixture(`${cube}views:\n  - name: a_view\n    cubes:\n      - join_path: a\n        includes: "*"\n`);
    expect(edits(two)).toMatch(/^ {2}- name: a_view_2\n/);
  });

  it('is not offered on a view, on a member, or in a loose document', () => {
    const titles = (model: Fixture): string[] => actions(model).map((action) => action.title);
    expect(titles(fixture(shopAt('views/shop.yml', '- name: sh')))).toEqual([]);
    expect(titles(fixture(shopAt('cubes/orders.yml', '- name: tot')))).toEqual([]);
  });
});

describe('mends', () => {
  it('are not offered for a code that is switched off', () => {
    const { opened, workspace } = fixture('cubes:\n  - name: a\n    sql_table: t\n    shown: true\n');
    const whole = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const titles = (severity: Record<string, 'off'>): string[] =>
      codeActions(opened, whole, ['quickfix'], { workspace, canCreateFiles: false, severity }).map(
        (action) => action.title,
      );
    expect(titles({})).toContain('Change to `public`');
    expect(titles({ deprecated: 'off' })).toEqual([]);
  });
});
