import { describe, expect, it } from 'vitest';
import { branchChanges, goneNames } from '#language-server/ide/branch-changes.ts';
import { diagnostics } from '#language-server/ide/diagnostics.ts';
import type { ModelRoot } from '#language-server/workspace.ts';
import { vocabularyOf } from '#model/vocabulary.ts';
import {
  defaultLanguageSettings,
  type DeployBranchModel,
  type WorkspaceUsesParams,
} from '#features/language/messages.ts';
import { type Fixture, fixture } from './fixture.ts';
import { Session } from './session.ts';
import { SHOP } from './shop.ts';

/** The shop after an edit, compared with the shop as it was. */
function edited(from: string | RegExp, to: string): Fixture & { readonly root: ModelRoot } {
  const model = fixture(SHOP.replace(from, to));
  const { root } = model.opened;
  root.deployBranch = { branch: 'main', cubes: vocabularyOf(fixture(SHOP).index) };
  return { ...model, root };
}

/** What is marked and said, per file. */
function marks(model: Fixture, path: string): string[] {
  const opened = model.file(path);
  return branchChanges(opened).map(
    ({ start, end, problem }) => `${opened.file.text.slice(start, end)}: ${problem.message}`,
  );
}

describe('a difference to the deploy branch', () => {
  it('is none while only SQL, words or the order change', () => {
    const model = edited('sql: amount', 'sql: amount * 2');
    for (const path of ['cubes/orders.yml', 'cubes/users.yml', 'views/shop.yml'])
      expect(marks(model, path)).toEqual([]);
  });

  it('names a removed member, at its cube and at every view that lost it, with what still says it', () => {
    const model = edited(/ {6}- name: city\n.*\n.*\n.*\n/, '');
    expect(marks(model, 'cubes/users.yml')).toEqual([
      'users: “users.city” was removed: it still exists on main (dimension string).',
    ]);
    expect(marks(model, 'views/shop.yml')).toEqual([
      'shop: “shop.users_city” was removed: it still exists on main (dimension string).',
    ]);
    const [found] = diagnostics(
      model.file('cubes/users.yml'),
      { settings: defaultLanguageSettings, docs: undefined },
      model.workspace,
    ).filter(({ code }) => code === 'differs-from-deploy');
    expect(found?.severity).toBe(3);
    const related = branchChanges(model.file('cubes/users.yml'))[0]?.problem.related ?? [];
    expect(related.map(({ part, start, end }) => part.text.slice(start, end))).toEqual([
      'users.city',
      'users.city',
      'city',
    ]);
  });

  it('knows a renamed member by its definition, and a new type', () => {
    const renamed = edited(/- name: total\n( {8}sql: amount)/, '- name: revenue\n$1');
    expect(marks(renamed, 'cubes/orders.yml')).toEqual(['revenue: On main this is called “orders.total”.']);
    const retyped = edited('sql: amount\n        type: sum', 'sql: amount\n        type: avg');
    expect(marks(retyped, 'cubes/orders.yml')).toEqual([
      'total: On main “orders.total” is a measure sum, here a measure avg.',
    ]);
    expect(marks(retyped, 'views/shop.yml')).toEqual([
      'shop: On main “shop.revenue” is a measure sum, here a measure avg.',
    ]);
  });

  it('is not guessed where templates make parts of the model', () => {
    const made =
      '#- made.yml\ncubes:\n  - name: {{ x }}\n    sql_table: t\n  - name: b\n    sql_table: t\n    measures:\n';
    const loop = '{% for n in y %}\n      - {name: n, type: count}\n{% endfor %}\n';
    const before = `${made}      - {name: m, type: count}\n${SHOP}`;
    const model = fixture(
      `${made}${loop}${SHOP.replace('- name: status', '- name: state')}`.replace(/#- cubes\/users[^#]*/, ''),
    );
    const { root } = model.opened;
    root.deployBranch = { branch: 'main', cubes: vocabularyOf(fixture(before).index) };
    expect(marks(model, 'made.yml')).toEqual([]);
    expect(goneNames(root)).not.toContain('users.');
    // What a file says whole is compared all the same.
    expect(marks(model, 'cubes/orders.yml')).toEqual(['state: On main this is called “orders.status”.']);
  });

  it('is known of a view that names what it takes, also of a cube of which a template makes a part', () => {
    const cube = (name: string, more = ''): string =>
      `#- ${name}.yml\ncubes:\n  - name: ${name}\n    sql_table: t\n    measures:\n      - {name: total, type: count}\n      - {name: rows, type: count}\n${more}`;
    const loop = '{% for n in y %}\n      - {name: n, type: count}\n{% endfor %}\n';
    const all = (...includes: readonly string[]): string =>
      `${cube('a')}${cube('b', loop)}#- v.yml\nviews:\n  - name: v\n    cubes:\n      - join_path: a\n        includes: [total, rows]\n      - join_path: b\n        prefix: true\n        includes: ${includes.join('')}\n`;
    const seen = (before: string, after: string): readonly string[] => {
      const model = fixture(after);
      model.opened.root.deployBranch = { branch: 'main', cubes: vocabularyOf(fixture(before).index) };
      return marks(model, 'v.yml');
    };
    const gone = ['v: “v.rows” was removed: it still exists on main (measure count).'];
    const without = (text: string): string => text.replace('includes: [total, rows]', 'includes: [total]');
    expect(seen(all('[total]'), without(all('[total]')))).toEqual(gone);
    // What the template makes may be the very name.
    expect(seen(all('[total, made]'), without(all('[total, made]')))).toEqual([]);
    expect(seen(all('"*"'), without(all('"*"')))).toEqual([]);
  });

  it('goes when the name comes back', () => {
    const { root } = edited('- name: status', '- name: state');
    expect(goneNames(root)).toEqual(['orders.status', 'shop.status']);
    expect(goneNames(edited('x', 'x').root)).toEqual([]);
  });

  it('is told with the reports and dashboards that use the name, asked for once', async () => {
    const base = 'cubes:\n  - name: a\n    sql_table: t\n    measures:\n      - {name: m, type: count}\n';
    const now = base.replace('name: m', 'name: n');
    const session = await Session.start({ 'a.yml': now });
    const asked: (readonly string[])[] = [];
    const cubes = [...vocabularyOf(fixture(base).index).values()].map(({ members, ...cube }) => ({
      ...cube,
      members: [...members].map(([name, word]) => ({ name, ...word })),
    }));
    session.client.onRequest('modelbench/deployBranch', (): DeployBranchModel => ({ branch: 'main', cubes }));
    session.client.onRequest('modelbench/workspaceUses', ({ names }: WorkspaceUsesParams) => {
      asked.push(names);
      return [{ type: 'report', name: 'Weekly', names: ['a.m'] }];
    });
    const uri = await session.open('a.yml');
    const words = async (): Promise<string> => {
      const found = await session.diagnosticsOf(uri, 1);
      const message = found.find(({ code }) => code === 'differs-from-deploy')?.message;
      if (typeof message === 'string' && message.includes('Weekly')) return message;
      session.diagnostics.delete(uri);
      return words();
    };
    expect(await words()).toBe('On main this is called “a.m”. Used by report “Weekly”.');
    await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await session.request('textDocument/documentSymbol', uri);
    expect(asked).toEqual([['a.m']]);
    session.dispose();
  });
});
