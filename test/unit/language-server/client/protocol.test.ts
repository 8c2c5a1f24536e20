import { describe, expect, it } from 'vitest';
import type {
  CompletionList,
  Location,
  SemanticTokens,
  SemanticTokensDelta,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { defaultLanguageSettings, type JoinGraphResult, type PlacedError } from '#features/language/messages.ts';
import { filesIn, indented, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { SHOP } from '#support/language/shop.ts';

const filesOf = (text: string): Record<string, string> => Object.fromEntries(filesIn(text));

const orders = `${ROOT}/cubes/orders.yml`;
const users = `${ROOT}/cubes/users.yml`;

function insert(
  session: Session,
  uri: string,
  version: number,
  line: number,
  character: number,
  text: string,
  removed = 0,
): Promise<void> {
  const range = { start: { line, character }, end: { line, character: character + removed } };
  return session.client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ range, text }],
  });
}

describe('a session', () => {
  it('checks closed files, too, and again when another file changes what they use', async () => {
    const session = await Session.start(filesOf(SHOP));
    await session.open('cubes/users.yml');
    expect(await session.diagnosticsOf(users, 1)).toEqual([]);
    // `city` becomes `cityx`: orders.yml is closed and refers to it.
    await insert(session, users, 2, 8, 18, 'x');
    const found = await session.diagnosticsOf(orders, undefined);
    expect(found.map(({ code }) => code)).toMatchInlineSnapshot(`
      [
        "unknown-reference",
        "unknown-pre-aggregation-member",
      ]
    `);
    await insert(session, users, 3, 8, 18, '', 1);
    expect(await session.diagnosticsOf(users, 3)).toEqual([]);
    session.dispose();
  });

  // @shows diagnostics (server)
  it('says where the other definition of a name is', async () => {
    const session = await Session.start({
      'a.yml': yaml`
        cubes:
          - name: a
            sql_table: t
      `,
      'b.yml': yaml`
        cubes:
          - name: a
            sql_table: t
      `,
    });
    const [found] = await session.diagnosticsOf(`${ROOT}/b.yml`, undefined);
    expect(found?.code).toBe('duplicate-name');
    expect(found?.relatedInformation?.map(({ location }) => location.uri)).toEqual([`${ROOT}/a.yml`]);
    session.dispose();
  });

  // @shows diagnostics (server), diagnostic-pages (server)
  it('obeys settings: other severities, off, pages of codes', async () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          shown: true
          titel: x
    `;
    const settings = { ...defaultLanguageSettings, severity: { deprecated: 'error', 'unknown-key': 'off' } as const };
    const session = await Session.start({ 'a.yml': text }, { settings, docs: 'https://example.org/codes' });
    const found = await session.diagnosticsOf(`${ROOT}/a.yml`, undefined);
    expect(found.map(({ code, severity, codeDescription }) => [code, severity, codeDescription?.href])).toEqual([
      ['deprecated', 1, 'https://example.org/codes/deprecated.md'],
    ]);
    session.dispose();
  });

  // @shows file-changes (server)
  it('reads a file again when it changes on disk, and forgets one that is gone', async () => {
    const session = await Session.start({
      'a.yml': yaml`
        cubes:
          - name: a
            sql_table: t
      `,
    });
    const uri = `${ROOT}/a.yml`;
    session.files.set(
      uri,
      yaml`
        cubes:
          - name: a
      `,
    );
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    expect((await session.diagnosticsOf(uri, undefined)).map(({ code }) => code)).toEqual(['missing-key']);
    session.files.delete(uri);
    const cleared = session.cleared(uri);
    await session.client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 3 }] });
    await cleared;
    session.dispose();
  });

  // @shows file-changes (server)
  it('forgets the files of a folder that is gone', async () => {
    const session = await Session.start({
      'old/a.yml': yaml`
        cubes:
          - name: a
      `,
    });
    const uri = `${ROOT}/old/a.yml`;
    await session.diagnosticsOf(uri, undefined);
    session.files.delete(uri);
    const cleared = session.cleared(uri);
    await session.client.sendNotification('workspace/didDeleteFiles', { files: [{ uri: `${ROOT}/old` }] });
    expect(await cleared).toEqual([]);
    session.dispose();
  });

  // @shows standalone-documents (server)
  it('leaves other YAML alone in a folder that is not named as a model', async () => {
    const session = await Session.start(
      {
        'compose.yml': yaml`
          services:
            web: x
        `,
        'a.yml': yaml`
          cubes:
            - name: a
        `,
      },
      { roots: undefined },
      [ROOT],
    );
    expect((await session.diagnosticsOf(`${ROOT}/a.yml`, undefined)).map(({ code }) => code)).toEqual(['missing-key']);
    const uri = await session.open('compose.yml');
    expect(await session.request('textDocument/documentSymbol', uri)).toBeNull();
    expect(session.diagnostics.has(uri)).toBe(false);
    session.dispose();
  });

  // @shows several-folders (server)
  it('keeps models apart: the same name in two roots does not clash', async () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
    `;
    const session = await Session.start(
      { 'one/a.yml': text, 'two/a.yml': text },
      { roots: [`${ROOT}/one`, `${ROOT}/two`] },
    );
    const one = await session.open('one/a.yml');
    expect(await session.diagnosticsOf(one, 1)).toEqual([]);
    session.dispose();
  });

  // @shows standalone-documents (server)
  it('helps in a document of no model without calling things missing', async () => {
    const session = await Session.start({});
    const uri = await session.open(
      'untitled:Untitled-1.yml',
      yaml`
        cubes:
          - name: a
            sql_table: t
            measures:
              - {name: m, type: number, sql: "{elsewhere.x}"}
      `,
    );
    expect(await session.diagnosticsOf(uri, 1)).toEqual([]);
    const list = await session.request<CompletionList>('textDocument/completion', uri, {
      position: { line: 3, character: 4 },
    });
    expect(list.items.map(({ label }) => label).join(' ')).toMatchInlineSnapshot(
      `"extends title description meta public sql_alias data_source refresh_key joins dimensions measures segments hierarchies pre_aggregations access_policy calendar"`,
    );
    session.dispose();
  });

  // @shows rename (server), rename-moves-files (server)
  it('renames over files and answers a refusal with its reason', async () => {
    const session = await Session.start(filesOf(SHOP));
    const uri = await session.open('cubes/users.yml');
    const edit = await session.request<WorkspaceEdit>('textDocument/rename', uri, {
      position: { line: 8, character: 15 },
      newName: 'town',
    });
    expect(edit.documentChanges?.length).toBe(3);
    await expect(
      session.request('textDocument/rename', uri, { position: { line: 8, character: 15 }, newName: 'id' }),
    ).rejects.toThrow('already');
    session.dispose();
  });

  // @shows completion-of-members (server)
  it('completes after an edit and finds references of unsaved text', async () => {
    const session = await Session.start(filesOf(SHOP));
    const uri = await session.open('cubes/orders.yml');
    const text = session.files.get(orders) ?? '';
    const line = text.split('\n').findIndex((each) => each.includes('{total} /'));
    const character = (text.split('\n')[line] ?? '').indexOf('{total}') + 1;
    await insert(session, uri, 2, line, character, 'users.', 5);
    const list = await session.request<CompletionList>('textDocument/completion', uri, {
      position: { line, character: character + 6 },
    });
    expect(list.items.map(({ label }) => label).join(' ')).toMatchInlineSnapshot(`"id city count"`);
    const found = await session.request<Location[]>('textDocument/references', uri, {
      position: { line, character },
      context: { includeDeclaration: false },
    });
    expect(found.length).toBeGreaterThan(3);
    session.dispose();
  });

  // @shows semantic-tokens (server)
  it('sends only what changed of the tokens', async () => {
    const session = await Session.start(filesOf(SHOP));
    const uri = await session.open('cubes/users.yml');
    const full = await session.request<SemanticTokens>('textDocument/semanticTokens/full', uri);
    expect(full.data.length).toBeGreaterThan(20);
    const delta = await session.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', uri, {
      previousResultId: full.resultId,
    });
    expect(delta.edits).toEqual([]);
    session.dispose();
  });

  // @shows cancellation (server)
  it('answers others while it colours a large document', async () => {
    let now = 0;
    const session = await Session.start({}, {}, [], undefined, { now: () => (now += 5) });
    const cubes = Array.from({ length: 100 }, (_, at) =>
      indented(
        2,
        yaml`
          - name: c${String(at)}
            sql_table: t
        `,
      ),
    );
    const uri = await session.open('many.yml', `cubes:\n${cubes.join('')}`);
    const order: string[] = [];
    const coloured = session
      .request<SemanticTokens>('textDocument/semanticTokens/full', uri)
      .then(({ data }) => order.push(`${data.length / 5} tokens`));
    const hover = session
      .request('textDocument/hover', uri, { position: { line: 2, character: 6 } })
      .then(() => order.push('hover'));
    await Promise.all([coloured, hover]);
    expect(order).toEqual(['hover', '100 tokens']);
    session.dispose();
  });

  // @shows join-graph (server)
  it.each([
    ['document', orders],
    ['folder', ROOT],
  ])('draws the join graph of the model of a %s', async (_, uri) => {
    const session = await Session.start(filesOf(SHOP));
    const graph = await session.client.sendRequest<JoinGraphResult>('modelbench/joinGraph', { uri });
    expect(graph.edges.map(({ from, to, line }) => [from, to, line])).toEqual([['orders', 'users', 4]]);
    session.dispose();
  });

  // @shows build-errors (server)
  it('says where errors of the engine belong', async () => {
    const session = await Session.start(filesOf(SHOP));
    const messages = ['orders cube: (measures.total.sql) is required', 'Something else'];
    const found = await session.client.sendRequest<readonly (PlacedError | null)[]>('modelbench/placeEngineErrors', {
      uri: ROOT,
      messages,
    });
    expect(found.map((place) => place && [place.uri, place.range.start.line])).toEqual([[orders, 29], null]);
    session.dispose();
  });

  // @shows cancellation (server)
  it('drops a cancelled request and continues', async () => {
    const session = await Session.start(filesOf(SHOP));
    const uri = await session.open('cubes/users.yml');
    const { CancellationTokenSource } = await import('vscode-languageserver/node');
    const source = new CancellationTokenSource();
    const hover = session.client.sendRequest(
      'textDocument/hover',
      { textDocument: { uri }, position: { line: 1, character: 11 } },
      source.token,
    );
    source.cancel();
    await expect(hover).rejects.toThrow('Cancelled');
    expect(await session.request('textDocument/hover', uri, { position: { line: 1, character: 11 } })).not.toBeNull();
    session.dispose();
  });
});
