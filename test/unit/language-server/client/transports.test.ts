import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionList,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  LocationLink,
  Position,
  SelectionRange,
  SemanticTokens,
  SignatureHelp,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { bundleServer } from '#support/bundled-server.ts';
import { filesIn, jinja, yaml } from '#support/language/raw.ts';
import { Session } from '#support/language/session.ts';
import { SHOP } from '#support/language/shop.ts';

/** The files of a text, and where `$0` stands in them. */
interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  readonly position: Position;
}

function caseOf(text: string): Case {
  const files = new Map(filesIn(text));
  const [path, marked] = [...files].find(([, content]) => content.includes('$0')) ?? ['', ''];
  const before = marked.slice(0, marked.indexOf('$0')).split('\n');
  files.set(path, marked.replace('$0', ''));
  return {
    files: Object.fromEntries(files),
    path,
    position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
  };
}

/** The shop with the cursor behind a text of a file. */
function shop(path: string, before: string): Case {
  const at = SHOP.indexOf(before, SHOP.indexOf(`# file: ${path}\n`)) + before.length;
  return caseOf(`${SHOP.slice(0, at)}$0${SHOP.slice(at)}`);
}

type Ask = <T>(method: string, params?: object) => Promise<T>;

interface Check {
  readonly feature: string;
  readonly on: Case;
  /** What a user would notice of the answer, in few words. */
  readonly see: (ask: Ask, position: Position) => Promise<unknown>;
  readonly expected: unknown;
}

const file = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);
const lines = (locations: readonly Location[]): readonly string[] =>
  locations.map(({ uri, range }) => `${file(uri)} ${range.start.line}`).sort();

const CHECKS: readonly Check[] = [
  {
    // @shows completion-of-keys (server), completion-of-values (server), completion-of-members (server), completion-in-views (server), snippets (server)
    feature: 'completion',
    on: shop('cubes/orders.yml', 'drill_members: [id, status, users.'),
    see: async (ask, position) =>
      (await ask<CompletionList>('completion', { position })).items.map(({ label }) => label),
    expected: ['id', 'city', 'count'],
  },
  {
    // @shows hover (server)
    feature: 'hover',
    on: shop('cubes/orders.yml', 'status, users.ci'),
    see: async (ask, position) => (await ask<Hover>('hover', { position })).contents,
    expected: {
      kind: 'markdown',
      value: [
        '**users.city** · dimension · string',
        'Where the user lives.',
        '```sql\n{CUBE}.city\n```',
        '4 uses',
        'Defined in users.yml',
      ].join('\n\n'),
    },
  },
  {
    // @shows definition (server)
    feature: 'definition',
    on: shop('views/shop.yml', 'includes: [ci'),
    see: async (ask, position) => {
      const found = await ask<(Location | LocationLink)[]>('definition', { position });
      return found.map((each) => ('uri' in each ? `${file(each.uri)} ${each.range.start.line}` : ''));
    },
    expected: ['users.yml 8'],
  },
  {
    // @shows references (server)
    feature: 'references',
    on: shop('cubes/users.yml', '- name: ci'),
    see: async (ask, position) =>
      lines(await ask<Location[]>('references', { position, context: { includeDeclaration: false } })),
    expected: ['orders.yml 27', 'orders.yml 38', 'shop.yml 11', 'shop.yml 14'],
  },
  {
    // @shows rename (server)
    feature: 'rename',
    on: shop('cubes/orders.yml', '- name: tot'),
    see: async (ask, position) => {
      const edit = await ask<WorkspaceEdit>('rename', { position, newName: 'sum' });
      const changes = (edit.documentChanges ?? []).flatMap((change) =>
        'edits' in change ? [`${file(change.textDocument.uri)} ${change.edits.length}`] : [],
      );
      return changes.sort();
    },
    expected: ['orders.yml 3', 'shop.yml 1'],
  },
  {
    // @shows symbols (server)
    feature: 'documentSymbol',
    on: shop('views/shop.yml', '- name: sh'),
    see: async (ask) => (await ask<DocumentSymbol[]>('documentSymbol')).map(({ name }) => name),
    expected: ['shop'],
  },
  {
    // @shows folding (server)
    feature: 'foldingRange',
    on: shop('views/shop.yml', '- name: sh'),
    see: async (ask) =>
      (await ask<FoldingRange[]>('foldingRange')).map(({ startLine, endLine }) => [startLine, endLine]),
    expected: [
      [1, 14],
      [2, 11],
      [3, 8],
      [4, 8],
      [7, 8],
      [9, 11],
      [12, 14],
      [13, 14],
    ],
  },
  {
    // @shows selection (server)
    feature: 'selectionRange',
    on: shop('views/shop.yml', 'users_ci'),
    see: async (ask, position) => {
      const [range] = await ask<SelectionRange[]>('selectionRange', { positions: [position] });
      let steps = 0;
      for (let at = range; at; at = at.parent) steps++;
      return steps > 3;
    },
    expected: true,
  },
  {
    // @shows document-links (server)
    feature: 'documentLink',
    on: caseOf(
      jinja`
        # file: m.jinja
        {% macro x() %}{% endmacro %}
        # file: a.yml.jinja
        {% from "m.jinja" import $0x %}
      `,
    ),
    see: async (ask) => (await ask<{ target?: string }[]>('documentLink')).map(({ target = '' }) => file(target)),
    expected: ['m.jinja'],
  },
  {
    // @shows semantic-tokens (server)
    feature: 'semanticTokens/full',
    on: shop('cubes/orders.yml', '- name: or'),
    see: async (ask) => (await ask<SemanticTokens>('semanticTokens/full')).data.length > 50,
    expected: true,
  },
  {
    // @shows signature-help (server)
    feature: 'signatureHelp',
    on: caseOf(yaml`
      # file: a.yml
      cubes:
        - name: a
          sql: "SELECT 1 WHERE {FILTER_PARAMS.a.b.filter($0)}"
    `),
    see: async (ask, position) =>
      (await ask<SignatureHelp>('signatureHelp', { position })).signatures.map(({ label }) => label.slice(0, 7)),
    expected: ['filter('],
  },
  {
    // @shows inlay-hints (server)
    feature: 'inlayHint',
    on: shop('views/shop.yml', '- name: sh'),
    see: async (ask) => {
      const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
      return (await ask<InlayHint[]>('inlayHint', { range })).map(({ label }) => label);
    },
    expected: [': count', ': string', ': sum currency', ': many_to_one', ': string', ': string', ': sum currency'],
  },
  {
    // @shows code-lenses (server)
    feature: 'codeLens',
    on: shop('cubes/users.yml', '- name: us'),
    see: async (ask) => (await ask<CodeLens[]>('codeLens')).length,
    expected: 3,
  },
  {
    // @shows quick-fixes (server), extract-view (server), ignore-comments (server)
    feature: 'codeAction',
    on: caseOf(yaml`
      # file: a.yml
      cubes:
        - name: a
          sql_table: t
          sho$0wn: true
    `),
    see: async (ask, position) => {
      const range = { start: position, end: position };
      const actions = await ask<CodeAction[]>('codeAction', { range, context: { diagnostics: [] } });
      return actions.map(({ title }) => title);
    },
    expected: ['Change to `public`', 'Ignore `deprecated` on this line', 'Fix all problems that have an obvious fix'],
  },
  {
    // @shows formatting (server), other-yaml-servers (server)
    feature: 'formatting',
    on: caseOf(yaml`
      # file: a.yml
      cubes:
        - name:   a$0 # why
          sql_table: t
    `),
    see: async (ask) => {
      const edits = await ask<TextEdit[]>('formatting', { options: { tabSize: 2, insertSpaces: true } });
      return edits.length > 0;
    },
    expected: true,
  },
  {
    // @shows indentation (server)
    feature: 'onTypeFormatting',
    on: caseOf(yaml`
      # file: a.yml
      cubes:
        - name: a
          sql_table: t
          dimensions:
      $0
    `),
    see: async (ask, position) => {
      const options = { tabSize: 2, insertSpaces: true };
      const edits = await ask<TextEdit[]>('onTypeFormatting', { position, ch: '\n', options });
      return edits.map(({ newText }) => newText);
    },
    expected: [expect.stringMatching(/^ {6}/)],
  },
  {
    // @shows highlight (server)
    feature: 'documentHighlight',
    on: shop('cubes/users.yml', '- name: ci'),
    see: async (ask, position) => (await ask<unknown[]>('documentHighlight', { position })).length,
    expected: 1,
  },
  {
    // @shows extends (server)
    feature: 'prepareTypeHierarchy',
    on: shop('cubes/users.yml', '- name: ci'),
    see: async (ask, position) => (await ask<{ name: string }[]>('prepareTypeHierarchy', { position }))[0]?.name,
    expected: 'users',
  },
  {
    // @shows used-by (server)
    feature: 'prepareCallHierarchy',
    on: shop('cubes/users.yml', '- name: ci'),
    see: async (ask, position) => (await ask<{ name: string }[]>('prepareCallHierarchy', { position }))[0]?.name,
    expected: 'users.city',
  },
];

// @shows transports (server)
describe.each(['in this process', 'over the spawned bundle'])('every feature %s', (transport) => {
  const folder = mkdtempSync(join(tmpdir(), 'language-server-'));
  const bundle = join(folder, 'language-server.js');
  const start = (files: Readonly<Record<string, string>>): Promise<Session> =>
    transport === 'in this process' ? Session.start(files) : Session.spawn(bundle, files);

  beforeAll(async () => {
    if (transport !== 'in this process') await bundleServer(folder);
  });
  /** Servers by the files that they serve: starting one for each feature would take most of the time. */
  const servers = new Map<string, Promise<Session>>();
  const serverOf = async (files: Readonly<Record<string, string>>): Promise<Session> => {
    const key = JSON.stringify(files);
    const server = servers.get(key) ?? start(files);
    servers.set(key, server);
    return server;
  };
  afterAll(async () => {
    for (const server of servers.values()) (await server).dispose();
    rmSync(folder, { recursive: true });
  });

  it.each(CHECKS)('$feature', async ({ on, see, expected }) => {
    const session = await serverOf(on.files);
    const uri = await session.open(on.path);
    try {
      const ask: Ask = (method, params) => session.request(`textDocument/${method}`, uri, params);
      expect(await see(ask, on.position)).toEqual(expected);
    } finally {
      await session.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    }
  });

  // @shows symbols (server)
  it('workspace/symbol, and problems of closed files', async () => {
    const session = await start({
      ...shop('views/shop.yml', '- name: sh').files,
      'bad.yml': yaml`
        cubes:
          - name: bad
      `,
    });
    try {
      const found = await session.client.sendRequest<SymbolInformation[]>('workspace/symbol', { query: 'fiscal' });
      expect(found).toEqual([]);
      const cities = await session.client.sendRequest<SymbolInformation[]>('workspace/symbol', { query: 'cty' });
      expect(cities.map(({ name }) => name)).toEqual(['city']);
      const problems = await session.diagnosticsOf('memory:///model/bad.yml', undefined);
      expect(problems.map(({ code }) => code)).toEqual(['missing-key']);
    } finally {
      session.dispose();
    }
  });
});
