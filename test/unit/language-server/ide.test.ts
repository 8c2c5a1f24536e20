import { describe, expect, it } from 'vitest';
import type { CodeAction, TextEdit } from 'vscode-languageserver';
import { codeActions } from '#language-server/ide/actions.ts';
import { problemsIn } from '#language-server/ide/diagnostics.ts';
import { format, indentNewLine } from '#language-server/ide/format.ts';
import { joinGraphOf } from '#language-server/ide/graph.ts';
import { inlayHints, signatureHelp } from '#language-server/ide/hints.ts';
import { codeLenses, resolveLens } from '#language-server/ide/lenses.ts';
import { legend } from '#language-server/ide/semantic-tokens.ts';
import { documentLinks, foldingRanges, selectionRange } from '#language-server/ide/structure.ts';
import { TokenCache } from '#language-server/token-cache.ts';
import { type Fixture, fixture, textIn } from './fixture.ts';
import { SHOP, shopAt } from './shop.ts';

const whole = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };

function apply({ opened }: Fixture, edits: readonly TextEdit[]): string {
  let { text } = opened.file;
  const located = edits.map(({ range, newText }) => ({
    start: opened.positions.offsetAt(range.start),
    end: opened.positions.offsetAt(range.end),
    newText,
  }));
  for (const { start, end, newText } of located.sort((a, b) => b.start - a.start))
    text = text.slice(0, start) + newText + text.slice(end);
  return text;
}

function actionsOf({ opened, workspace }: Fixture): CodeAction[] {
  return codeActions(opened, whole, undefined, { workspace, canCreateFiles: false, severity: {} });
}

/** The text after the first action whose title contains the words. */
function fixed(model: Fixture, title: string): string {
  const action = actionsOf(model).find((item: CodeAction) => item.title.includes(title));
  return apply(model, action?.edit?.changes?.[model.opened.uri] ?? []);
}

const cube = (rest: string): string => `cubes:\n  - name: a\n    sql_table: t\n${rest}`;

describe('quick fixes', () => {
  it.each([
    ['a misspelt key', cube('    dimension: []\n'), 'Change to `dimensions`', cube('    dimensions: []\n')],
    [
      'a misspelt word',
      cube('    dimensions:\n      - {name: x, sql: x, type: strng}\n'),
      'Change to `string`',
      cube('    dimensions:\n      - {name: x, sql: x, type: string}\n'),
    ],
    [
      'a misspelt member',
      cube(
        '    dimensions:\n      - {name: status, sql: x, type: string}\n    measures:\n      - {name: m, type: count, drill_members: [statis]}\n',
      ),
      'Change to `status`',
      cube(
        '    dimensions:\n      - {name: status, sql: x, type: string}\n    measures:\n      - {name: m, type: count, drill_members: [status]}\n',
      ),
    ],
    ['an old key', cube('    shown: false\n'), 'Change to `public`', cube('    public: false\n')],
    [
      'an old word',
      cube('    joins:\n      - {name: a, relationship: belongs_to, sql: "{a.x}"}\n'),
      'Change to `many_to_one`',
      cube('    joins:\n      - {name: a, relationship: many_to_one, sql: "{a.x}"}\n'),
    ],
    ['a word that is no boolean', cube('    public: yes\n'), 'Change to `true`', cube('    public: true\n')],
    ['text that looks like a number', cube('    title: 2024\n'), 'Put it in quotes', cube('    title: "2024"\n')],
    [
      'SQL without quotes',
      'cubes:\n  - name: a\n    sql: {CUBE}.x\n',
      'Put the SQL in quotes',
      'cubes:\n  - name: a\n    sql: "{CUBE}.x"\n',
    ],
    [
      'a missing key',
      cube('    measures:\n      - name: m\n        sql: x\n'),
      'Add `type`',
      cube('    measures:\n      - name: m\n        sql: x\n        type: count\n'),
    ],
    ['one of two keys', cube('    sql: select 1\n'), 'Remove `sql`', cube('')],
    [
      'a name clash in a view',
      `${cube('    dimensions:\n      - {name: id, sql: id, type: number}\n')}  - name: b\n    sql_table: t\n    dimensions:\n      - {name: id, sql: id, type: number}\nviews:\n  - name: v\n    cubes:\n      - join_path: a\n        includes: "*"\n      - join_path: b\n        includes: "*"\n`,
      'Add `prefix: true`',
      `${cube('    dimensions:\n      - {name: id, sql: id, type: number}\n')}  - name: b\n    sql_table: t\n    dimensions:\n      - {name: id, sql: id, type: number}\nviews:\n  - name: v\n    cubes:\n      - join_path: a\n        includes: "*"\n      - join_path: b\n        includes: "*"\n        prefix: true\n`,
    ],
  ])('mend %s', (_, before, title, after) => {
    expect(fixed(fixture(before), title)).toBe(after);
  });

  it('can be applied all at once', () => {
    const model = fixture(cube('    shown: false\n    titel: x\n'));
    expect(fixed(model, 'Fix all problems')).toBe(cube('    public: false\n    title: x\n'));
  });

  it('can switch a problem off', () => {
    const model = fixture(cube('    shown: false\n'));
    const text = fixed(model, 'Ignore `deprecated`');
    expect(text).toContain('    # modelbench-ignore: deprecated\n    shown: false');
    expect(problemsIn(fixture(text).opened)).toEqual([]);
  });
});

describe('ignore comments', () => {
  it('hold for their line, the next one, or the file, and for the named codes only', () => {
    const codes = (text: string): string[] => problemsIn(fixture(text).opened).map(({ problem }) => problem.code);
    expect(codes(cube('    shown: true # modelbench-ignore\n'))).toEqual([]);
    expect(codes(cube('    # modelbench-ignore: unknown-key\n    shown: true\n'))).toEqual(['deprecated']);
    expect(codes(`# modelbench-ignore-file: deprecated\n${cube('    title: a\n    shown: true\n')}`)).toEqual([]);
  });
});

describe('semantic tokens', () => {
  function tokens(text: string): string[] {
    const { opened } = fixture(text);
    const { data } = new TokenCache().full(opened);
    const found: string[] = [];
    let line = 0;
    let character = 0;
    for (let at = 0; at < data.length; at += 5) {
      const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
      line += lines;
      character = lines === 0 ? character + characters : characters;
      const start = { line, character };
      found.push(
        `${textIn(opened, { start, end: { line, character: character + length } })} ${legend.tokenTypes[type] ?? ''}${modifiers === 1 ? ' declaration' : ''}`,
      );
    }
    return found;
  }

  it('mark names and the SQL inside', () => {
    const found = tokens(
      cube(
        `    dimensions:\n      - {name: d, sql: d, type: string}\n    measures:\n      - name: m\n        type: sum\n        sql: "CASE WHEN {CUBE.d} = 'x' THEN 1 END"\n`,
      ),
    );
    expect(found).toEqual([
      'a class declaration',
      'd property declaration',
      'm function declaration',
      'CASE keyword',
      'WHEN keyword',
      'CUBE variable',
      'd property',
      '= operator',
      "'x' string",
      'THEN keyword',
      '1 number',
      'END keyword',
    ]);
  });
});

describe('structure', () => {
  it('folds entities, lists and members', () => {
    const { opened } = fixture(cube('    dimensions:\n      - name: x\n        sql: x\n        type: string\n'));
    expect(foldingRanges(opened).map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 6],
      [3, 6],
      [4, 6],
    ]);
  });

  it('widens a selection node by node', () => {
    const { opened, offset } = fixture(cube('    dimensions:\n      - name: x$0\n        sql: y\n'));
    const texts: string[] = [];
    for (
      let range: ReturnType<typeof selectionRange> | undefined = selectionRange(
        opened,
        opened.positions.positionAt(offset),
      );
      range;
      range = range.parent
    )
      texts.push(textIn(opened, range.range));
    expect(texts.slice(0, 3)).toEqual(['x', 'name: x', 'name: x\n        sql: y']);
  });

  it('links to imported templates', () => {
    const { opened } = fixture(
      '#- a.yml\n{% import "lib/macros.jinja" as m %}\ncubes:\n#- lib/macros.jinja\n{% macro x() %}{% endmacro %}\n',
    );
    expect(documentLinks(opened).map(({ target }) => target)).toEqual(['memory:///model/lib/macros.jinja']);
  });
});

describe('hints', () => {
  it('show types behind references and cardinalities behind join paths', () => {
    const model = fixture(shopAt('views/shop.yml', 'views'));
    const found = inlayHints(model.opened, whole).map(
      ({ position, label }) => `${position.line + 1} ${typeof label === 'string' ? label : ''}`,
    );
    expect(found).toContain('10 : many_to_one');
    expect(found).toContain('6 : count');
  });

  it('lenses count uses and name the commands of the extension', () => {
    const { opened, index } = fixture(shopAt('cubes/users.yml', 'cubes'));
    const lenses = codeLenses(opened, { preview: true, compiledSql: true, lensForUnused: false }).map((lens) =>
      lens.command ? lens : resolveLens(lens, index),
    );
    expect(lenses.slice(0, 3).map(({ command }) => command?.title)).toEqual(['6 uses', 'Preview data', 'Compiled SQL']);
    expect(lenses[1]?.command?.arguments).toEqual([{ uri: opened.uri, kind: 'cube', name: 'users' }]);
  });

  it('lenses stand where there are uses; above the others only when asked for', () => {
    const { opened, index } = fixture(
      '#- a.yml\ncubes:\n  - name: a$0\n    sql_table: a\n    dimensions:\n      - {name: x, sql: x, type: string}\n      - {name: y, sql: "{x}", type: string}\n',
    );
    const titles = (lensForUnused: boolean): (string | undefined)[] =>
      codeLenses(opened, { preview: false, compiledSql: false, lensForUnused }).map(
        (lens) => resolveLens(lens, index).command?.title,
      );
    expect(titles(false)).toEqual(['1 use']);
    expect(titles(true)).toEqual(['0 uses', '1 use', '0 uses']);
  });

  it('explain the arguments of FILTER_PARAMS', () => {
    const { opened, offset } = fixture(
      cube('').replace('sql_table: t', 'sql: "select * from t where {FILTER_PARAMS.a.x.filter($0)}"'),
    );
    expect(signatureHelp(opened, offset)?.signatures[0]?.label).toContain('filter(column');
  });

  it('know the join graph', () => {
    const { opened, workspace } = fixture(SHOP);
    const { nodes, edges } = joinGraphOf(opened, workspace);
    expect(nodes.map(({ name }) => name)).toEqual(['users', 'orders', 'shop']);
    expect(edges.map(({ from, to, relationship }) => [from, to, relationship])).toEqual([
      ['orders', 'users', 'many_to_one'],
    ]);
  });
});

describe('formatting', () => {
  it('tidies without touching comments or texts over several lines', () => {
    const before =
      'cubes:   \n  - name:   a   # the one\n\n\n\n    sql: |\n      select 1   \n\n\n      from t\n    title: "x"\n\n';
    const model = fixture(before);
    expect(apply(model, format(model.opened))).toBe(
      'cubes:\n  - name: a   # the one\n\n    sql: |\n      select 1   \n\n\n      from t\n    title: "x"\n',
    );
  });

  it('leaves broken and templated files alone', () => {
    expect(format(fixture('cubes:  \n  - name: "a\n').opened)).toEqual([]);
    expect(format(fixture('cubes:  \n{% for x in y %}\n  - name: a\n{% endfor %}\n').opened)).toEqual([]);
  });

  it('indents the line behind a key', () => {
    const model = fixture('cubes:\n  - name: a\n    measures:\n$0\n');
    expect(apply(model, indentNewLine(model.opened, { line: 3, character: 0 }))).toBe(
      'cubes:\n  - name: a\n    measures:\n      \n',
    );
  });
});
