import type { Diagnostic, ResponseError } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { codeActions } from '#language-server/ide/actions.ts';
import { problemsIn } from '#language-server/ide/diagnostics.ts';
import { hover } from '#language-server/ide/hover.ts';
import { codeLenses } from '#language-server/ide/lenses.ts';
import { definition, references } from '#language-server/ide/navigation.ts';
import { renameAt } from '#language-server/ide/rename.ts';
import { documentLinks } from '#language-server/ide/structure.ts';
import { documentSymbols } from '#language-server/ide/symbols.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { type Fixture, fixture, textIn } from './fixture.ts';
import { ROOT, Session } from './session.ts';

/** Half of it is YAML, half of it scripts; each names what the other has. */
const MIXED = `#- lib/settings.js
export const schema = 'public';
#- orders.js
import { schema } from './lib/settings';
cube(\`orders\`, {
  sql: \`select * from \${schema}.orders where \${FILTER_PARAMS.orders.status.filter('status')}\`,
  joins: {
    users: { relationship: \`many_to_one\`, sql: (CUBE, users) => \`\${CUBE}.user_id = \${users.id}\` },
  },
  dimensions: {
    id: { sql: \`id\`, type: \`number\`, primaryKey: true },
    status: { sql: \`\${CUBE}.status\`, type: \`string\` },
    created: { sql: \`created\`, type: \`time\` },
  },
  measures: {
    count: { type: \`count\`, drillMembers: () => [id, CUBE.status, users.city] },
    total: { type: \`sum\`, sql: \`amount\`, filters: [{ sql: \`\${status} = 'paid'\` }] },
    rate: { type: \`number\`, sql: schema === 'public' ? \`\${total} / \${CUBE.count}\` : '1 / ' + CUBE.count },
  },
  preAggregations: {
    main: { measures: [count, orders.total], dimensions: [status, users.city], timeDimension: created, granularity: \`day\` },
  },
});
view(\`shop\`, {
  cubes: [
    { join_path: orders, includes: [\`count\`, { name: \`total\`, alias: \`revenue\` }] },
    { join_path: orders.users, prefix: true, includes: [\`city\`] },
  ],
  folders: [{ name: \`Where\`, includes: [\`revenue\`, \`users_city\`] }],
});
cube(\`refunds\`, { extends: orders, measures: { lost: { type: \`count\`, drillMembers: [status] } } });
#- users.yml
cubes:
  - name: users
    sql_table: users
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
      - {name: spent, sql: "{orders.total}", type: number, sub_query: true}
`;

/** The mixed model with the cursor behind the first \`before\` that \`after\` follows. */
function at(before: string, after = ''): Fixture {
  const place = MIXED.indexOf(before + after);
  expect(place).not.toBe(-1);
  const cursor = place + before.length;
  return fixture(`${MIXED.slice(0, cursor)}$0${MIXED.slice(cursor)}`);
}

const short = (uri: string): string => uri.slice(ROOT.length + 1);

function definitionsAt({ opened, offset, workspace, file }: Fixture): string[] {
  return definition(opened, offset, workspace).map(
    ({ targetUri, targetSelectionRange }) =>
      `${short(targetUri)} ${textIn(file(short(targetUri)), targetSelectionRange)}`,
  );
}

/** The files that a rename changes, with all of their text. */
function renamed({ opened, offset, workspace, file }: Fixture, name: string): Readonly<Record<string, string>> {
  const { documentChanges = [] } = renameAt(opened, offset, name, workspace, true);
  const changed = documentChanges.flatMap((change): [string, string][] => {
    if (!('textDocument' in change)) return [];
    const path = short(change.textDocument.uri);
    const {
      positions,
      file: { text },
    } = file(path);
    const edits = change.edits
      .flatMap((edit) =>
        'newText' in edit
          ? [{ at: positions.offsetAt(edit.range.start), to: positions.offsetAt(edit.range.end), put: edit.newText }]
          : [],
      )
      .sort((a, b) => b.at - a.at);
    return [[path, edits.reduce((now, { at: from, to, put }) => now.slice(0, from) + put + now.slice(to), text)]];
  });
  return Object.fromEntries(changed);
}

function refusal(text: string): string {
  const { opened, offset, workspace } = fixture(text);
  try {
    renameAt(opened, offset, 'other', workspace, true);
  } catch (error) {
    return (error as ResponseError<unknown>).message;
  }
  return 'none';
}

describe('a model of scripts and YAML', () => {
  it('has no problem', () => {
    const { file } = at('cube(`ord');
    for (const path of ['lib/settings.js', 'orders.js', 'users.yml']) expect(problemsIn(file(path))).toEqual([]);
  });

  it.each([
    ['${us', 'ers.id', 'users.yml users'],
    ['users.i', 'd}', 'users.yml id'],
    ['CUBE.st', 'atus,', 'orders.js status'],
    ['[i', 'd, CUBE', 'orders.js id'],
    ['users.ci', 'ty] }', 'users.yml city'],
    ['${st', 'atus} =', 'orders.js status'],
    ['? `${to', 'tal}', 'orders.js total'],
    ["'1 / ' + CUBE.co", 'unt', 'orders.js count'],
    ['orders.to', 'tal]', 'orders.js total'],
    ['timeDimension: cre', 'ated', 'orders.js created'],
    ['FILTER_PARAMS.ord', 'ers', 'orders.js orders'],
    ['orders.st', 'atus.filter', 'orders.js status'],
    ['    us', 'ers: {', 'users.yml users'],
    ['join_path: orders.us', 'ers', 'users.yml users'],
    ['[`co', 'unt`', 'orders.js count'],
    ['[`reve', 'nue`', 'orders.js revenue'],
    ['`users_ci', 'ty`', 'users.yml city'],
    ['extends: ord', 'ers', 'orders.js orders'],
    ['drillMembers: [st', 'atus]', 'orders.js status'],
    ['{orders.to', 'tal}"', 'orders.js total'],
  ])('finds the definition of %s|%s', (before, after, expected) => {
    expect(definitionsAt(at(before, after))).toEqual([expected]);
  });

  it('finds the uses of a member of a script in YAML, and the other way round', () => {
    const lines = ({ opened, offset, workspace }: Fixture): string[] =>
      references(opened, offset, workspace, true).map(({ uri, range }) => `${short(uri)}:${range.start.line + 1}`);
    expect(lines(at('    to', 'tal:'))).toEqual([
      'orders.js:14',
      'orders.js:15',
      'orders.js:18',
      'orders.js:23',
      'users.yml:7',
    ]);
    expect(lines(at('name: ci', 'ty,'))).toEqual([
      'users.yml:6',
      'orders.js:13',
      'orders.js:18',
      'orders.js:24',
      'orders.js:26',
    ]);
  });

  it('explains keys and members', () => {
    const words = ({ opened, offset }: Fixture): string => JSON.stringify(hover(opened, offset)?.contents);
    expect(words(at('primary', 'Key'))).toContain('Whether it identifies a row.');
    expect(words(at('    to', 'tal:'))).toContain('orders.total** · measure · sum');
    expect(words(at('users.ci', 'ty]'))).toContain('Defined in users.yml');
  });

  it('has an outline, lenses and links to what it imports', () => {
    const { opened } = at('cube(`ord');
    const outline = documentSymbols(opened).map(({ name, children = [] }) => [
      name,
      ...children.map((child) => child.name),
    ]);
    expect(outline).toEqual([
      ['orders', 'users', 'id', 'status', 'created', 'count', 'total', 'rate', 'main'],
      ['shop', 'Where'],
      ['refunds', 'lost'],
    ]);
    expect(codeLenses(opened, defaultLanguageSettings).length).toBeGreaterThan(5);
    expect(documentLinks(opened)).toMatchObject([{ target: `${ROOT}/lib/settings.js` }]);
  });

  it('is renamed over both languages, in code that puts SQL together as well', () => {
    const texts = renamed(at('    to', 'tal:'), 'sum');
    expect(texts['users.yml']).toContain('"{orders.sum}"');
    for (const text of ['sum: { type: `sum`', '`${sum} / ${CUBE.count}`', 'orders.sum]', '{ name: `sum`, alias'])
      expect(texts['orders.js']).toContain(text);
    const cubes = renamed(at('- name: us', 'ers'), 'people');
    for (const text of ['people: { relationship', '${people.id}', 'people.city]', 'orders.people', '`people_city`'])
      expect(cubes['orders.js']).toContain(text);
    expect(renamed(at("'1 / ' + CUBE.co", 'unt'), 'rows')['orders.js']).toContain("'1 / ' + CUBE.rows");
  });

  it('is not renamed where a use may be missed', () => {
    expect(refusal('#- a.js\nfor (const n of [1]) cube(`${n}_$0x`, { sql: `x` });')).toContain(
      'is generated when the model runs',
    );
    const hidden =
      '#- a.js\ncube(`a`, { sql: `x`, measures: { co$0unt: { type: `count` }, b: { type: `count`, drillMembers: pick([CUBE.count]) } } });';
    expect(refusal(hidden)).toBe(
      'Code in a.js may use “count”, which is known only when it runs: rename it there manually.',
    );
    expect(refusal('#- a.js\ncube(`a`, { sql: `x`, measures: { co$0unt: { type: `count` } } });')).toBe('none');
  });

  it('keeps the name of a file that scripts import', () => {
    const moves = (other: string): boolean => {
      const { opened, offset, workspace } = fixture(`#- users.js\ncube('us$0ers', { sql: \`x\` });\n#- b.js\n${other}`);
      return (
        renameAt(opened, offset, 'people', workspace, true).documentChanges?.some((change) => 'kind' in change) ?? false
      );
    };
    expect(moves("import { x } from './users';")).toBe(false);
    expect(moves('')).toBe(true);
  });
});

describe('a mend in a script', () => {
  it.each([
    ['keeps the quotes of a word', 'measures: { c: { type: `coun` } }', 'type: `count`'],
    ['takes the quotes of a cube away', 'extends: `a`', 'extends: a'],
    ['makes SQL from elsewhere a function', '...base', 'const base = { sql: () => `x` }'],
    ['corrects a member', 'measures: { c: { type: `number`, sql: `${CUBE.idd}` } }', '${CUBE.id}'],
  ])('%s', (_, part, expected) => {
    const own = part.startsWith('...') ? part : `sql: \`x\`, ${part}`;
    const text = `const base = { sql: \`x\` };\ncube(\`a\`, { sql: \`x\`, dimensions: { id: { sql: \`id\`, type: \`number\` } } });\ncube(\`b\`, { ${own}, dimensions: { id: { sql: \`id\`, type: \`number\` } } });`;
    const { opened, workspace } = fixture(`#- a.js\n${text}`);
    const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const actions = codeActions(opened, whole, ['quickfix'], { workspace, canCreateFiles: false, severity: {} });
    const edit = actions.find(({ isPreferred }) => isPreferred)?.edit?.changes?.[opened.uri]?.[0];
    expect(edit).toBeDefined();
    const range = edit?.range ?? whole;
    const from = opened.positions.offsetAt(range.start);
    const mended = text.slice(0, from) + (edit?.newText ?? '') + text.slice(opened.positions.offsetAt(range.end));
    expect(mended).toContain(expected);
    expect(problemsIn(fixture(`#- a.js\n${mended}`).opened).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('puts the comment that switches a problem off above the template that it is in', () => {
    const text = 'cube(`a`, {\n  sql: `\n    select ${nope}\n  `,\n});\n';
    const { opened, workspace } = fixture(`#- a.js\n${text}`);
    const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const actions = codeActions(opened, whole, ['quickfix'], { workspace, canCreateFiles: false, severity: {} });
    const edit = actions.find(({ title }) => title.startsWith('Ignore'))?.edit?.changes?.[opened.uri]?.[0];
    expect(edit?.range.start).toEqual({ line: 1, character: 0 });
    expect(problemsIn(fixture(`#- a.js\n${text.replace('  sql', `${edit?.newText ?? ''}  sql`)}`).opened)).toEqual([]);
  });
});

/** The diagnostics of the first version of a document, as soon as they are as wanted. */
async function until(
  session: Session,
  uri: string,
  holds: (found: readonly Diagnostic[]) => boolean,
): Promise<readonly Diagnostic[]> {
  for (;;) {
    const { diagnostics } = session.diagnostics.get(uri) ?? {};
    if (diagnostics && holds(diagnostics)) return diagnostics;
    session.diagnostics.delete(uri);
    await session.diagnosticsOf(uri, 1);
  }
}

describe('scripts over the server', () => {
  it('are known to YAML files as they are typed, and modules beside them are left alone', async () => {
    const session = await Session.start({
      'a.js': 'cube(`a`, { sql: `x`, dimensions: { id: { sql: `id`, type: `number`, primary_key: true } } });',
      'b.yml': 'cubes:\n  - name: b\n    sql: "select * from {a.sql()}"\n    extends: a\n',
    });
    const yaml = await session.open('b.yml');
    expect(await session.diagnosticsOf(yaml, 1)).toEqual([]);
    const script = await session.open('a.js');
    expect(await session.diagnosticsOf(script, 1)).toEqual([]);
    const change = (version: number, text: string): Promise<void> =>
      session.client.sendNotification('textDocument/didChange', {
        textDocument: { uri: script, version },
        contentChanges: [{ text }],
      });
    await change(2, 'cube(`other`, { sql: `x` });');
    const [problem] = await until(session, yaml, (found) => found.length > 0);
    expect(problem?.message).toContain('`a` is neither a cube nor');
    // Half typed, it is there again.
    await change(3, 'cube(`a`, { sql: `x`, dimensions: { ');
    expect(await until(session, yaml, (found) => found.length === 0)).toEqual([]);
    const symbols = await session.client.sendRequest<{ name: string }[]>('workspace/symbol', { query: 'a' });
    expect(symbols.map(({ name }) => name)).toContain('a');
    const module = await session.open('helpers.mjs', 'export const x = 1;');
    expect(await session.request('textDocument/documentSymbol', module)).toBeNull();
    expect(session.diagnostics.get(module)?.diagnostics ?? []).toEqual([]);
    session.dispose();
  });
});
