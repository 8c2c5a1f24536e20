import { describe, expect, it } from 'vitest';
import { branchChanges, goneNames } from '#language-server/ide/branch-changes.ts';
import { diagnostics } from '#language-server/ide/diagnostics.ts';
import type { ModelRoot } from '#language-server/workspace/workspace.ts';
import { vocabularyOf } from '#model/vocabulary.ts';
import {
  defaultLanguageSettings,
  type DeployBranchModel,
  type WorkspaceUsesParams,
} from '#features/language/messages.ts';
import type { Drawn } from '#support/language/drawn.ts';
import { type Fixture, fixture } from '#support/language/model.ts';
import { jinja, yaml } from '#support/language/raw.ts';
import { Session } from '#support/language/session.ts';
import { SHOP } from '#support/language/shop.ts';
import { lines } from '#support/language/show.ts';

interface Compared extends Fixture {
  readonly root: ModelRoot;
}

/** A model, compared with what it is on the deploy branch. */
function compared(before: string, after: string): Compared {
  const model = fixture(after);
  const { root } = model.opened;
  root.deployBranch = { branch: 'main', cubes: vocabularyOf(fixture(before).index) };
  return { ...model, root };
}

/** The shop after an edit. */
const edited = (from: string | RegExp, to: string): Compared => compared(SHOP, SHOP.replace(from, to));

/** What is marked in each file, what is said there, and what still uses the name. */
function differences(model: Fixture): Drawn {
  const paths = [...model.index.files()].map(({ path }) => path.replace('memory:///model/', ''));
  return lines(
    paths.flatMap((path) => {
      const opened = model.file(path);
      return branchChanges(opened).flatMap(({ start, end, problem }) => {
        const used = (problem.related ?? []).map(({ chunk, start: from, end: to }) => chunk.text.slice(from, to));
        return [
          `${path} ${opened.file.text.slice(start, end)}: ${problem.message}`,
          ...(used.length === 0 ? [] : [`  still used: ${used.join(', ')}`]),
        ];
      });
    }),
  );
}

describe('a difference to the deploy branch', () => {
  it('needs more than a change of SQL', () => {
    expect(differences(edited('sql: amount', 'sql: amount * 2'))).toMatchInlineSnapshot(`nothing`);
  });

  // @shows branch-changes
  it('names a removed member, at its cube and at every view that lost it, with what still says it', () => {
    const model = edited(/ {6}- name: city\n.*\n.*\n.*\n/, '');
    expect(differences(model)).toMatchInlineSnapshot(`
      cubes/users.yml users: “users.city” was removed: it still exists on main (dimension string).
        still used: users.city, users.city, city
      views/shop.yml shop: “shop.users_city” was removed: it still exists on main (dimension string).
        still used: users_city
    `);
    const found = diagnostics(
      model.file('cubes/users.yml'),
      { settings: defaultLanguageSettings, docs: undefined },
      model.workspace,
    ).filter(({ code }) => code === 'differs-from-deploy');
    expect(found.map(({ severity }) => severity)).toEqual([3]);
  });

  // @shows branch-changes
  it('recognises a renamed member by its definition', () => {
    const model = edited(
      /- name: total\n( {8}sql: amount)/,
      yaml`
        - name: revenue
        $1`,
    );
    expect(differences(model)).toMatchInlineSnapshot(`
      cubes/orders.yml revenue: On main this is called “orders.total”.
        still used: total, total, total
      views/shop.yml shop: “shop.revenue” was removed: it still exists on main (measure sum).
        still used: revenue
    `);
  });

  // @shows branch-changes
  it('names a new type', () => {
    const model = edited(
      yaml`
        sql: amount
                type: sum`,
      yaml`
        sql: amount
                type: avg`,
    );
    expect(differences(model)).toMatchInlineSnapshot(`
      cubes/orders.yml total: On main “orders.total” is a measure sum, here a measure avg.
      views/shop.yml shop: On main “shop.revenue” is a measure sum, here a measure avg.
    `);
  });

  it('compares what a file says whole, and nothing that templates make', () => {
    const loop = jinja`
      {% for n in y %}
            - {name: n, type: count}
      {% endfor %}`;
    const made = (measures: string): string => yaml`
      # file: made.yml
      cubes:
        - name: {{ x }}
          sql_table: t
        - name: b
          sql_table: t
          measures:
      ${measures}
    `;
    const shop = SHOP.replace('- name: status', '- name: state').replace(/# file: cubes\/users[^#]*/, '');
    const model = compared(made('      - {name: m, type: count}') + SHOP, made(loop) + shop);
    expect(differences(model)).toMatchInlineSnapshot(`
      cubes/orders.yml state: On main this is called “orders.status”.
        still used: status
    `);
    expect(goneNames(model.root)).toMatchInlineSnapshot(`
      [
        "orders.status",
      ]
    `);
  });

  describe('of a view that names what it takes', () => {
    const cube = (name: string, more = ''): string => yaml`
      # file: ${name}.yml
      cubes:
        - name: ${name}
          sql_table: t
          measures:
            - {name: total, type: count}
            - {name: rows, type: count}
            ${more}
    `;
    /** Of the second cube, a template makes a part. */
    const model = (first: string, second: string): string => yaml`
      ${cube('a')}
      ${cube(
        'b',
        jinja`
          {% for n in y %}
          - {name: n, type: count}
          {% endfor %}`,
      )}
      # file: v.yml
      views:
        - name: v
          cubes:
            - join_path: a
              includes: ${first}
            - join_path: b
              prefix: true
              includes: ${second}
    `;

    // @shows branch-changes
    it('names a member that it takes no longer', () => {
      const found = compared(model('[total, rows]', '[total]'), model('[total]', '[total]'));
      expect(differences(found)).toMatchInlineSnapshot(
        `v.yml v: “v.rows” was removed: it still exists on main (measure count).`,
      );
    });

    it('keeps silent where what a template makes may be the very name', () => {
      const named = compared(model('[total, rows]', '[total, made]'), model('[total]', '[total, made]'));
      expect(differences(named)).toMatchInlineSnapshot(`nothing`);
      const all = compared(model('[total, rows]', '"*"'), model('[total]', '"*"'));
      expect(differences(all)).toMatchInlineSnapshot(`nothing`);
    });
  });

  // @shows branch-changes (server)
  it('goes when the name comes back', () => {
    expect(goneNames(edited('- name: status', '- name: state').root)).toEqual(['orders.status', 'shop.status']);
    expect(goneNames(edited('x', 'x').root)).toEqual([]);
  });

  const base = yaml`
    cubes:
      - name: a
        sql_table: t
        measures:
          - {name: m, type: count}
  `;
  const changed = base.replace('name: m', 'name: n');
  const cubes = [...vocabularyOf(fixture(base).index).values()].map(({ members, ...cube }) => ({
    ...cube,
    members: [...members].map(([name, word]) => ({ name, ...word })),
  }));
  const main: DeployBranchModel = { branch: 'main', cubes };
  const used = 'On main this is called “a.m”. Used by report “Weekly”.';
  /** The document's message about the other branch, once it is as it should be. */
  const words = async (session: Session, uri: string, isIt: (text: string) => boolean): Promise<string> => {
    const found = await session.diagnosticsOf(uri, 1);
    const message = found.find(({ code }) => code === 'differs-from-deploy')?.message;
    if (typeof message === 'string' && isIt(message)) return message;
    session.diagnostics.delete(uri);
    return words(session, uri, isIt);
  };

  // @shows workspace-uses (server)
  it('names the reports and dashboards that use the name, and asks for them once', async () => {
    const session = await Session.start({ 'a.yml': changed });
    const asked: (readonly string[])[] = [];
    session.client.onRequest('modelbench/deployBranch', () => main);
    session.client.onRequest('modelbench/workspaceUses', ({ names }: WorkspaceUsesParams) => {
      asked.push(names);
      return [{ type: 'report', name: 'Weekly', names: ['a.m'] }];
    });
    const uri = await session.open('a.yml');
    expect(await words(session, uri, (text) => text.includes('Weekly'))).toBe(used);
    await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await session.request('textDocument/documentSymbol', uri);
    expect(asked).toEqual([['a.m']]);
    session.dispose();
  });

  // @shows workspace-uses (server)
  it('asks again with the next save where the platform could not be asked', async () => {
    const session = await Session.start({ 'a.yml': changed });
    let isOnline = false;
    const failed = Promise.withResolvers<void>();
    session.client.onRequest('modelbench/deployBranch', () => main);
    session.client.onRequest('modelbench/workspaceUses', () => {
      if (isOnline) return [{ type: 'report', name: 'Weekly', names: ['a.m'] }];
      failed.resolve();
      throw new Error('The platform cannot be reached.');
    });
    const uri = await session.open('a.yml');
    await failed.promise;
    expect(await words(session, uri, () => true)).toBe('On main this is called “a.m”.');
    isOnline = true;
    await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
    expect(await words(session, uri, (text) => text.includes('Weekly'))).toBe(used);
    session.dispose();
  });

  // @shows branch-changes (server)
  it('stays while the platform cannot be asked, and an answer that comes too late changes nothing', async () => {
    const session = await Session.start({ 'a.yml': changed });
    const answers: PromiseWithResolvers<DeployBranchModel | null>[] = [];
    let heard = (): void => undefined;
    session.client.onRequest('modelbench/workspaceUses', () => []);
    session.client.onRequest('modelbench/deployBranch', () => {
      const answer = Promise.withResolvers<DeployBranchModel | null>();
      answers.push(answer);
      heard();
      return answer.promise;
    });
    const asked = (): Promise<void> => new Promise((resolve) => (heard = resolve));
    const askAgain = async (): Promise<void> => {
      const next = asked();
      await session.client.sendNotification('modelbench/platformChanged');
      await next;
    };
    const first = asked();
    const uri = await session.open('a.yml');
    await first;
    await askAgain();
    answers[1]?.resolve(main);
    expect(await words(session, uri, () => true)).toBe('On main this is called “a.m”.');
    answers[0]?.resolve(null);
    await askAgain();
    answers[2]?.reject(new Error('The platform cannot be reached.'));
    await session.request('textDocument/documentSymbol', uri);
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: `${changed}\n` }],
    });
    const [found] = await session.diagnosticsOf(uri, 2);
    expect(found?.message).toBe('On main this is called “a.m”.');
    session.dispose();
  });
});
