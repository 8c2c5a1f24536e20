import { describe, expect, it } from 'vitest';
import type { FoldingRange, SelectionRange } from 'vscode-languageserver';
import { format, indentNewLine } from '#language-server/ide/format.ts';
import { joinGraphOf } from '#language-server/ide/navigation/graph.ts';
import { inlayHints, signatureHelp } from '#language-server/ide/hints.ts';
import { codeLenses, resolveLens } from '#language-server/ide/lenses.ts';
import { legend } from '#language-server/ide/tokens/semantic-tokens.ts';
import { documentLinks, foldingRanges, selectionRange } from '#language-server/ide/structure.ts';
import { TokenCache } from '#language-server/requests/token-cache.ts';
import { fixture, textIn } from '#support/language/model.ts';
import { jinja, yaml } from '#support/language/raw.ts';
import { SHOP, shopAt } from '#support/language/shop.ts';
import { applied, lines } from '#support/language/show.ts';

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

  // @shows semantic-tokens
  it('mark names and the SQL inside', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: d, sql: d, type: string}
          measures:
            - name: m
              type: sum
              sql: "CASE WHEN {CUBE.d} = 'x' THEN 1 END"
    `;
    expect(lines(tokens(text))).toMatchInlineSnapshot(`
      a class declaration
      d property declaration
      m function declaration
      CASE keyword
      WHEN keyword
      CUBE variable
      d property
      = operator
      'x' string
      THEN keyword
      1 number
      END keyword
    `);
  });
});

describe('structure', () => {
  // @shows folding
  it('leaves out inner levels where there are too many, so that the last cube can still be folded', () => {
    const cube = (name: string): string =>
      `  - name: ${name}\n    sql: |\n      a\n      b\n    dimensions:\n      - name: a\n        sql: a\n`;
    const { opened } = fixture(`cubes:\n${cube('one')}${cube('two')}${cube('three')}`);
    const starts = (limit?: number) => foldingRanges(opened, limit).map(({ startLine }) => startLine + 1);
    expect(starts()).toEqual([2, 3, 6, 7, 9, 10, 13, 14, 16, 17, 20, 21]);
    expect(starts(9)).toEqual([2, 3, 6, 9, 10, 13, 16, 17, 20]);
    expect(starts(5)).toEqual([2, 9, 16]);
    expect(starts(2)).toEqual([2, 9]);
  });

  // @shows folding
  it('folds cubes, lists and members', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - name: x
              sql: x
              type: string
    `;
    const drawn = ({ startLine, endLine }: FoldingRange): string => {
      const [first, last] = [startLine, endLine].map((line) => text.split('\n')[line]?.trim());
      return `${first} … ${last}`;
    };
    expect(lines(foldingRanges(fixture(text).opened).map(drawn))).toMatchInlineSnapshot(`
      - name: a … type: string
      dimensions: … type: string
      - name: x … type: string
    `);
  });

  // @shows selection
  it('widens a selection node by node', () => {
    const { opened, offset } = fixture(yaml`
      cubes:
        - name: a
          dimensions:
            - name: x$0
              sql: y
    `);
    const texts: string[] = [];
    const widen = ({ range, parent }: SelectionRange): void => {
      texts.push(textIn(opened, range));
      if (parent) widen(parent);
    };
    widen(selectionRange(opened, opened.positions.positionAt(offset)));
    expect(lines(texts.map((text) => `> ${text}`))).toMatchInlineSnapshot(`
      > x
      > name: x
      > name: x
              sql: y
      > - name: x
              sql: y
      > dimensions:
            - name: x
              sql: y
      > name: a
          dimensions:
            - name: x
              sql: y
      > cubes:
        - name: a
          dimensions:
            - name: x
              sql: y
    `);
  });

  // @shows document-links
  it('links to imported templates', () => {
    const { opened } = fixture(jinja`
      # file: a.yml
      {% import "lib/macros.jinja" as m %}
      cubes:
      # file: lib/macros.jinja
      {% macro x() %}{% endmacro %}
    `);
    const links = documentLinks(opened).map(({ range, target }) => `${textIn(opened, range)} → ${target}`);
    expect(lines(links)).toMatchInlineSnapshot(`lib/macros.jinja → memory:///model/lib/macros.jinja`);
  });
});

describe('inlay hints', () => {
  // @shows inlay-hints
  it('show types behind references and cardinalities behind join paths', () => {
    const { opened } = fixture(shopAt('views/shop.yml', 'views'));
    const whole = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };
    const texts = opened.file.text.split('\n');
    for (const { position, label } of inlayHints(opened, whole).toReversed()) {
      const line = texts[position.line] ?? '';
      texts[position.line] =
        `${line.slice(0, position.character)}⟨${label as string}⟩${line.slice(position.character)}`;
    }
    expect(lines(texts)).toMatchInlineSnapshot(`
      views:
        - name: shop
          cubes:
            - join_path: orders
              includes:
                - count⟨: count⟩
                - status⟨: string⟩
                - name: total⟨: sum currency⟩
                  alias: revenue
            - join_path: orders.users⟨: many_to_one⟩
              prefix: true
              includes: [city⟨: string⟩]
          folders:
            - name: Where
              includes: [users_city⟨: string⟩, revenue⟨: sum currency⟩]
    `);
  });
});

describe('code lenses', () => {
  const ABOVE = yaml`
    cubes:
      - name: a$0
        sql_table: a
        dimensions:
          - {name: x, sql: x, type: string}
          - {name: y, sql: "{x}", type: string}
  `;

  /** The titles of the lenses, above the lines that they belong to. */
  function lensesOf(text: string, settings: Parameters<typeof codeLenses>[1]): readonly string[] {
    const { opened, index } = fixture(text);
    const lenses = codeLenses(opened, settings).map((lens) => (lens.command ? lens : resolveLens(lens, index, true)));
    const byLine = Map.groupBy(lenses, ({ range }) => range.start.line);
    return [...byLine].flatMap(([line, found]) => [
      found.map(({ command }) => command?.title).join(' | '),
      opened.file.text.split('\n')[line] ?? '',
    ]);
  }

  // @shows code-lenses
  it('count uses and name the commands of the extension', () => {
    const model = shopAt('cubes/users.yml', 'cubes');
    const settings = { preview: true, compiledSql: true, lensForUnused: false };
    expect(lines(lensesOf(model, settings))).toMatchInlineSnapshot(`
      6 uses | Preview Data | Query This | Compiled SQL
        - name: users
      1 use
            - name: id
      4 uses
            - name: city
    `);
    const preview = codeLenses(fixture(model).opened, settings).find(
      ({ command }) => command?.title === 'Preview Data',
    );
    expect(preview?.command?.arguments).toEqual([
      { uri: 'memory:///model/cubes/users.yml', kind: 'cube', name: 'users' },
    ]);
  });

  // @shows code-lenses
  it('stand where there are uses', () => {
    const settings = { preview: false, compiledSql: false, lensForUnused: false };
    expect(lines(lensesOf(ABOVE, settings))).toMatchInlineSnapshot(`
      1 use
            - {name: x, sql: x, type: string}
    `);
  });

  it('stand above what is not used when asked for', () => {
    const settings = { preview: false, compiledSql: false, lensForUnused: true };
    expect(lines(lensesOf(ABOVE, settings))).toMatchInlineSnapshot(`
      0 uses
        - name: a
      1 use
            - {name: x, sql: x, type: string}
      0 uses
            - {name: y, sql: "{x}", type: string}
    `);
  });
});

describe('signature help', () => {
  // @shows signature-help
  it('explains the arguments of FILTER_PARAMS', () => {
    const { opened, offset } = fixture(yaml`
      cubes:
        - name: a
          sql: "select * from t where {FILTER_PARAMS.a.x.filter($0)}"
    `);
    expect(signatureHelp(opened, offset)).toMatchInlineSnapshot(`
      {
        "activeParameter": 0,
        "activeSignature": 0,
        "signatures": [
          {
            "documentation": {
              "kind": "markdown",
              "value": "The filter of the query on this member as a condition on a column, or \`1 = 1\` when the query has none.",
            },
            "label": "filter(column: 'sql' | lambda x, y: f"…")",
            "parameters": [
              {
                "documentation": "A column or expression as text, or a function of the filter values.",
                "label": "column: 'sql' | lambda x, y: f"…"",
              },
            ],
          },
        ],
      }
    `);
  });
});

describe('the join graph', () => {
  // @shows join-graph
  it('has each cube and view, and an arrow for each join', () => {
    const { opened, workspace } = fixture(SHOP);
    const { nodes, edges } = joinGraphOf(opened.root, workspace);
    const arrows = edges.map(({ from, to, relationship }) => `${from} → ${to} ${relationship}`);
    expect(lines([...nodes.map(({ name }) => name), ...arrows])).toMatchInlineSnapshot(`
      orders
      users
      shop
      orders → users many_to_one
    `);
  });
});

describe('formatting', () => {
  // @shows formatting
  it('tidies without touching comments or texts over several lines', () => {
    const spaces = '   ';
    const { opened } = fixture(yaml`
      cubes:${spaces}
        - name:   a   # the one



          sql: |
            select 1${spaces}


            from t
          title: "x"

    `);
    const formatted = applied(opened, format(opened));
    expect(formatted).toMatch(/[^\n]\n$/);
    expect({
      drawn: formatted.replaceAll(/ +$/gm, (end) => '·'.repeat(end.length)),
    }).toMatchInlineSnapshot(`
      cubes:
        - name: a   # the one

          sql: |
            select 1···


            from t
          title: "x"
    `);
  });

  // @shows formatting
  it.each([
    [
      'broken',
      yaml`
        cubes:  
          - name: "a
      `,
    ],
    [
      'templated',
      jinja`
        cubes:  
        {% for x in y %}
          - name: a
        {% endfor %}
      `,
    ],
  ])('leaves a %s file alone', (_, text) => {
    expect(format(fixture(text).opened)).toEqual([]);
  });

  // @shows indentation
  it('indents the line behind a key', () => {
    const { opened } = fixture(yaml`
      cubes:
        - name: a
          measures:
      $0
    `);
    const edits = indentNewLine(opened, { line: 3, character: 0 });
    expect({
      drawn: applied(opened, edits).replaceAll(/ +$/gm, (end) => '·'.repeat(end.length)),
    }).toMatchInlineSnapshot(`
      cubes:
        - name: a
          measures:
      ······
    `);
  });
});
