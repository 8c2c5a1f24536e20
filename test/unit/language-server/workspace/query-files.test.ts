import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  Hover,
  Location,
  Position,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { LineIndex } from '#base/line-index.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { QUERIED } from '#support/language/queries.ts';
import { yaml } from '#support/language/raw.ts';

const QUERY = yaml`
  query:
    measures: [orders.count]
    dimensions: [users.city]
`;
const BESIDE = 'memory:///queries/cities.query.yml';

function positionIn(text: string, word: string): Position {
  return new LineIndex(text).positionAt(text.indexOf(word) + word.length);
}

/** The items offered where `|` stands. */
async function offered(session: Session, marked: string): Promise<readonly CompletionItem[]> {
  const text = marked.replace('|', '');
  const uri = await session.open('queries/typed.query.yml', text);
  const position = new LineIndex(text).positionAt(marked.indexOf('|'));
  const { items } = await session.request<CompletionList>('textDocument/completion', uri, { position });
  await session.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
  return items;
}

const labels = (items: readonly CompletionItem[]): readonly string[] => items.map(({ label }) => label);

describe('query files in the language server', () => {
  // @shows query-files (server)
  it('are checked against the model, also when a name of it goes', async () => {
    const session = await Session.start({ 'shop.yml': QUERIED });
    const uri = await session.open(BESIDE, QUERY.replace('city', 'cty'));
    await expect
      .poll(() => session.diagnostics.get(uri)?.diagnostics.map(({ message }) => message))
      .toEqual(['The model has no “users.cty”. Did you mean “users.city”?']);
    const model = await session.open('shop.yml', QUERIED.replaceAll('name: city', 'name: cty'));
    await expect.poll(() => session.diagnostics.get(uri)?.diagnostics).toEqual([]);
    expect(model).toBe(`${ROOT}/shop.yml`);
    session.dispose();
  });

  // @shows query-files (server)
  it('are reported in the folder of the model, which the platform reads as a whole, and offer to move', async () => {
    const session = await Session.start(
      { 'shop.yml': QUERIED },
      {},
      [],
      undefined,
      {},
      {
        workspace: {
          workspaceEdit: {
            documentChanges: true,
            resourceOperations: ['rename'],
            changeAnnotationSupport: { groupsOnLabel: true },
          },
        },
      },
    );
    const uri = await session.open('deep/cities.query.yml', QUERY);
    const [diagnostic, ...others] = await session.diagnosticsOf(uri, 1);
    expect(diagnostic).toMatchInlineSnapshot(`
      {
        "code": "query-in-model",
        "message": "The platform reads this file as a part of the model, and its build fails at the keys of a query. Move it out of the model folder, into the folder “queries” beside it.",
        "range": {
          "end": {
            "character": 5,
            "line": 0,
          },
          "start": {
            "character": 0,
            "line": 0,
          },
        },
        "severity": 1,
        "source": "modelbench",
      }
    `);
    expect(others).toEqual([]);
    const range = { start: { line: 0, character: 2 }, end: { line: 0, character: 2 } };
    const context = { diagnostics: [] };
    const actions = await session.request<CodeAction[]>('textDocument/codeAction', uri, { range, context });
    const title = 'Move to queries/cities.query.yml';
    expect(actions.map((action) => [action.title, action.edit])).toEqual([
      [
        title,
        {
          documentChanges: [{ kind: 'rename', oldUri: uri, newUri: BESIDE, annotationId: 'move' }],
          changeAnnotations: { move: { label: title, needsConfirmation: true } },
        },
      ],
    ]);
    const below = { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } };
    expect(await session.request('textDocument/codeAction', uri, { range: below, context })).toEqual([]);
    await session.open(BESIDE, QUERY);
    expect(await session.diagnosticsOf(BESIDE, 1)).toEqual([]);
    session.dispose();
    const reviewing = await Session.start(
      { 'shop.yml': QUERIED },
      { settings: { ...defaultLanguageSettings, reviewEdits: true } },
      [],
      undefined,
      {},
      { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['rename'] } } },
    );
    await reviewing.open('deep/cities.query.yml', QUERY);
    const [move] = await reviewing.request<CodeAction[]>('textDocument/codeAction', uri, { range, context });
    expect([move?.edit, move?.command]).toEqual([
      undefined,
      { title, command: 'modelbench.language.reviewMove', arguments: [{ title, uri, to: BESIDE }] },
    ]);
    reviewing.dispose();
  });

  // @shows query-files (server)
  it('complete keys, operators and members of the right kind', async () => {
    const session = await Session.start({ 'shop.yml': QUERIED });
    expect(labels(await offered(session, 'que|'))).toEqual([
      'title',
      'description',
      'question',
      'query',
      'sql',
      'tests',
    ]);
    expect(
      labels(
        await offered(
          session,
          yaml`
            query:
              measures: []
              |`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "dimensions",
        "segments",
        "timeDimensions",
        "filters",
        "order",
        "limit",
        "offset",
        "timezone",
        "total",
        "ungrouped",
      ]
    `);
    expect(
      labels(
        await offered(
          session,
          yaml`
            query:
              measures:
                - |`,
        ),
      ),
    ).toEqual(['orders.count', 'orders.total', 'shop.count', 'shop.revenue']);
    expect(
      labels(
        await offered(
          session,
          yaml`
            query:
              segments: [or|]`,
        ),
      ),
    ).toEqual(['orders.paid']);
    expect(
      labels(
        await offered(
          session,
          yaml`
            query:
              timeDimensions:
                - dimension: |`,
        ),
      ),
    ).toEqual(['orders.created_at']);
    expect(
      labels(
        await offered(
          session,
          yaml`
            query:
              filters:
                - { member: orders.count, operator: |`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "equals",
        "notEquals",
        "gt",
        "gte",
        "lt",
        "lte",
        "set",
        "notSet",
      ]
    `);
    expect(
      labels(
        await offered(
          session,
          yaml`
            query:
              order:
                orders.created_at.|`,
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "orders.created_at.second",
        "orders.created_at.minute",
        "orders.created_at.hour",
        "orders.created_at.day",
        "orders.created_at.week",
        "orders.created_at.month",
        "orders.created_at.quarter",
        "orders.created_at.year",
      ]
    `);
    expect(
      labels(
        await offered(
          session,
          yaml`
            tests:
              - name: a
                rowCount: 1
                |`,
        ),
      ),
    ).toEqual(['as']);
    const [item] = await offered(
      session,
      yaml`
        query:
          dimensions: [users.ci|]`,
    );
    const edit = item?.textEdit as TextEdit | undefined;
    expect(edit?.range.start.character).toBe('  dimensions: ['.length);
    session.dispose();
  });

  // @shows query-files (server)
  it('explain, find and rename members, from the query and from the model', async () => {
    const session = await Session.start({ 'shop.yml': QUERIED, 'queries/cities.query.yml': QUERY }, {}, []);
    session.files.set(BESIDE, QUERY);
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: BESIDE, type: 1 }] });
    const uri = await session.open('queries/cities.query.yml');
    const position = positionIn(QUERY, 'users.ci');
    const hover = await session.request<Hover>('textDocument/hover', uri, { position });
    expect(hover.contents).toEqual({
      kind: 'markdown',
      value: '**users.city** · dimension · string\n\n```sql\ncity\n```\n\n1 use\n\nDefined in shop.yml',
    });
    const [location] = await session.request<Location[]>('textDocument/definition', uri, { position });
    expect(location?.uri).toBe(`${ROOT}/shop.yml`);
    const edits = async (at: string, where: Position): Promise<readonly string[]> => {
      const { documentChanges = [] } = await session.request<WorkspaceEdit>('textDocument/rename', at, {
        position: where,
        newName: 'town',
      });
      return documentChanges.flatMap((change) => ('edits' in change ? [change.textDocument.uri] : [])).sort();
    };
    const all = [`${ROOT}/queries/cities.query.yml`, `${ROOT}/shop.yml`, BESIDE].sort();
    expect(await edits(uri, position)).toEqual(all);
    const model = await session.open('shop.yml');
    expect(await edits(model, positionIn(QUERIED, '- name: cit'))).toEqual(all);
    session.dispose();
  });

  // @shows query-files (server)
  it('offer to run the query where the client can', async () => {
    const settings = { ...defaultLanguageSettings, preview: true };
    const session = await Session.start({ 'shop.yml': QUERIED }, { settings });
    const uri = await session.open('queries/cities.query.yml', QUERY);
    const lenses = await session.request<CodeLens[]>('textDocument/codeLens', uri);
    expect(lenses.map(({ command }) => command)).toEqual([
      {
        title: 'Run',
        command: 'modelbench.language.runQuery',
        arguments: [{ uri, query: { measures: ['orders.count'], dimensions: ['users.city'] } }],
      },
    ]);
    session.dispose();
  });
});

describe('the hover in a query file', () => {
  const TEXT = yaml`
    title: Paid
    query:
      measures: [orders.count]
      filters:
        - {member: users.city, operator: notContains, values: [x]}
        - member: users.city
          operator: "set"
  `;

  it.each([
    ['title: Paid', 'title', /\*\*title\*\*/],
    ['filters:', 'filters', /\*\*filters\*\*/],
    ['operator: notContains', 'operator', /How it is compared/],
    ['operator: "set"', 'operator', /How it is compared/],
    ['notContains', 'notContains', /Contains none of the texts/],
    ['set"', 'set', /Is not NULL/],
  ])('explains keys and operators: %s', async (place, word, expected) => {
    for (const text of [TEXT, TEXT.replaceAll('\n', '\r\n')]) {
      const session = await Session.start({ 'a.yml': QUERIED, 'queries/q.query.yml': text });
      const uri = await session.open(BESIDE, text);
      const position = new LineIndex(text).positionAt(text.indexOf(place) + 1);
      const hover = await session.request<Hover | null>('textDocument/hover', uri, { position });
      expect(JSON.stringify(hover?.contents)).toMatch(expected);
      expect(hover?.range?.end.character).toBe((hover?.range?.start.character ?? 0) + word.length);
      session.dispose();
    }
  });

  it('says nothing about other words', async () => {
    const session = await Session.start({ 'a.yml': QUERIED });
    const uri = await session.open(BESIDE, TEXT);
    for (const place of ['Paid', 'x]']) {
      const position = new LineIndex(TEXT).positionAt(TEXT.indexOf(place) + 1);
      expect(await session.request('textDocument/hover', uri, { position })).toBeNull();
    }
    session.dispose();
  });
});
