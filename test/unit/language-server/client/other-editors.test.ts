import { describe, expect, it, onTestFinished } from 'vitest';
import { InsertTextFormat } from 'vscode-languageserver';
import type {
  ClientCapabilities,
  CodeAction,
  CodeLens,
  CompletionList,
  Diagnostic,
  DocumentDiagnosticReport,
  Hover,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { plainText } from '#language-server/ide/markdown-text.ts';
import { withoutPlaceholders } from '#language-server/ide/completion/snippet-text.ts';
import { parseFile } from '#model/file.ts';
import { yaml } from '#support/language/raw.ts';
import { MODERN, ROOT, Session, type SessionOptions } from '#support/language/session.ts';

const ORDERS = yaml`
  cubes:
    - name: orders
      sql_table: t
      measures:
        - name: total
          sql: amount
          type: sum
        - name: ratio
          sql: "{total} / 2"
          type: number
`;

/** A session with an editor that names no models, and understands what `capabilities` say. */
async function editor(
  files: Readonly<Record<string, string>>,
  capabilities: ClientCapabilities,
  folders: readonly string[] = [`${ROOT}/shop`],
): Promise<Session> {
  const session = await Session.start(files, { roots: undefined }, folders, undefined, {}, capabilities);
  onTestFinished(() => session.dispose());
  return session;
}

const PATH = 'shop/model/cubes/orders.yml';

/** A text up to its cursor `$0`. */
const upTo = (text: string): string => text.slice(0, text.indexOf('$0'));
/** The cube with something below it, up to the cursor. */
const ordersUpTo = (text: string): string => ORDERS + upTo(text);

/** Places where definitions and keys begin; each text ends there. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'a section': ORDERS,
  'a cube behind a dash': upTo(yaml`
    cubes:
      - $0
  `),
  'a cube at the column of its section': upTo(yaml`
    cubes:
    - $0
  `),
  'a cube below its dash': upTo(yaml`
    cubes:
      -
        $0
  `),
  'a view': upTo(yaml`
    views:
      - $0
  `),
  'a view group': upTo(yaml`
    view_groups:
      - $0
  `),
  'a key of a cube': ordersUpTo('    $0'),
  'a measure': ordersUpTo('      - $0'),
  'a measure at the column of its list': upTo(yaml`
    cubes:
    - name: a
      sql_table: t
      measures:
      - $0
  `),
  'a measure below its dash': ordersUpTo('      -\n        $0'),
  'a key of a measure': ordersUpTo('        $0'),
  'a dimension': ordersUpTo('    dimensions:\n      - $0'),
  'a segment': ordersUpTo('    segments:\n      - $0'),
  'a join': ordersUpTo('    joins:\n      - $0'),
  'a pre-aggregation': ordersUpTo('    pre_aggregations:\n      - $0'),
  'a policy': ordersUpTo('    access_policy:\n      - $0'),
  'a filter': ordersUpTo('        filters:\n          - $0'),
  'a cube of a view': upTo(yaml`
    views:
      - name: v
        cubes:
          - $0
  `),
  'a folder': upTo(yaml`
    views:
      - name: v
        folders:
          - $0
  `),
};

/** Returns the problems of YAML's grammar in a file. */
function syntaxProblems(text: string): readonly string[] {
  const { problems, chunks } = parseFile('a.yml', text);
  return [...problems, ...chunks.flatMap(({ chunk }) => chunk.problems)].map(({ message }) => message);
}

/** The completions at the end of a text. */
async function completionsAfter(text: string, capabilities: ClientCapabilities): Promise<CompletionList['items']> {
  const session = await editor({}, capabilities);
  const uri = await session.open(PATH, text);
  const lines = text.split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  const { items } = await session.request<CompletionList>('textDocument/completion', uri, { position });
  return items;
}

describe('a completion of several lines', () => {
  it.each(Object.entries(BEGINNINGS))('is sound where it is inserted: %s', async (_, text) => {
    const items = await completionsAfter(text, MODERN);
    expect(items.length).toBeGreaterThan(0);
    // Editors indent further lines of a snippet as far as the first character of its line.
    const indent = /^ */.exec(text.slice(text.lastIndexOf('\n') + 1))?.[0] ?? '';
    for (const { label, textEdit } of items) {
      const inserted = withoutPlaceholders(textEdit?.newText ?? label, indent);
      expect([label, syntaxProblems(text + inserted)]).toEqual([label, []]);
    }
  });
});

describe('an editor without snippets', () => {
  it.each(Object.entries(BEGINNINGS))('gets text that is sound where it is inserted: %s', async (_, text) => {
    const items = await completionsAfter(text, {});
    expect(items.length).toBeGreaterThan(0);
    for (const { insertText, textEdit, insertTextFormat, label } of items) {
      expect(insertTextFormat ?? InsertTextFormat.PlainText).toBe(InsertTextFormat.PlainText);
      const inserted = textEdit?.newText ?? insertText ?? label;
      expect(inserted).not.toMatch(/\$\{?\d/);
      expect([label, syntaxProblems(text + inserted)]).toEqual([label, []]);
    }
  });

  it.each([
    ['name: ${1:created_at}\nsql: ${2:$1}', 'name: created_at\n  sql: created_at'],
    ['type: ${3|sum,avg|}\n$0', 'type: sum\n  '],
    ['sql: "{CUBE.${3:key}} = {$1.${4:id}}"', 'sql: "{CUBE.key} = {.id}"'],
    ['sql: `\\${CUBE}.${2:a_id} = \\${b}`,\n\t$0', 'sql: `${CUBE}.a_id = ${b}`,\n    '],
    ['${1:a}: ${1}', 'a: a'],
    ['${1:$1}', ''],
    ['nothing to replace', 'nothing to replace'],
  ])('gets %j as %j', (snippet, text) => {
    expect(withoutPlaceholders(snippet, '  ')).toBe(text);
  });
});

describe('an editor without Markdown', () => {
  it('gets plain text', async () => {
    const session = await editor(
      { [PATH]: ORDERS },
      {
        textDocument: {
          hover: { contentFormat: ['plaintext'] },
          completion: { completionItem: { documentationFormat: ['plaintext'] } },
        },
      },
    );
    const uri = await session.open(PATH);
    const hover = await session.request<Hover>('textDocument/hover', uri, { position: { line: 8, character: 17 } });
    expect(hover.contents).toEqual({
      kind: 'plaintext',
      value: 'orders.total · measure · sum\n\namount\n\n1 use\n\nDefined in orders.yml',
    });
    const position = { line: 5, character: 8 };
    const { items } = await session.request<CompletionList>('textDocument/completion', uri, { position });
    const kinds = items.flatMap(({ documentation }) => (typeof documentation === 'object' ? [documentation.kind] : []));
    expect([...new Set(kinds)]).toEqual(['plaintext']);
  });

  it.each([
    ['**total** · `measure`', 'total · measure'],
    ['Of [orders](file:///a.yml#1)', 'Of orders'],
    [String.raw`a \[b\]\(c\) \*d\*`, 'a [b](c) *d*'],
    ['before\n\n```sql\nSELECT `a` ** 2\n```\n\nafter', 'before\n\nSELECT `a` ** 2\n\nafter'],
    ['````sql\n```\n````', '```'],
    ['a * b * c', 'a * b * c'],
  ])('gets %j as %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });
});

describe('an editor with few forms of answers', () => {
  it('gets its outline as one list', async () => {
    const session = await editor({ [PATH]: ORDERS }, {});
    const uri = await session.open(PATH);
    const symbols = await session.request<SymbolInformation[]>('textDocument/documentSymbol', uri);
    expect(symbols.map(({ name, containerName }) => [name, containerName])).toEqual([
      ['orders', undefined],
      ['total', 'orders'],
      ['ratio', 'orders'],
    ]);
    expect(new Set(symbols.map(({ location }) => location.uri))).toEqual(new Set([uri]));
  });

  it('gets a rename and quick fixes as changes of each file', async () => {
    const view = yaml`
      views:
        - name: v
          cubes:
            - join_path: orders
              includes: [total]
    `;
    const session = await editor({ [PATH]: ORDERS, 'shop/model/views/v.yml': view }, {});
    const uri = await session.open(PATH);
    const position = { line: 4, character: 15 };
    const edit = await session.request<WorkspaceEdit>('textDocument/rename', uri, { position, newName: 'sum' });
    expect(edit.documentChanges).toBeUndefined();
    expect(Object.keys(edit.changes ?? {}).sort()).toEqual([uri, `${ROOT}/shop/model/views/v.yml`]);
    const wrong = ORDERS.replace('{total}', '{totl}');
    const other = await session.open('shop/model/cubes/b.yml', wrong.replace('orders', 'b'));
    const [problem] = await session.diagnosticsOf(other, 1);
    const range = problem?.range;
    const actions = await session.request<CodeAction[]>('textDocument/codeAction', other, {
      range,
      context: { diagnostics: [problem] },
    });
    expect(actions.map(({ title }) => title)).toEqual([
      'Change to `total`',
      'Create the dimension `totl` in `b`',
      'Create the measure `totl` in `b`',
    ]);
    for (const action of actions) expect(action.edit?.documentChanges).toBeUndefined();
  });

  it('gets lenses without commands that it does not have', async () => {
    const session = await editor({ [PATH]: ORDERS }, {});
    const uri = await session.open(PATH);
    const lenses = await session.request<CodeLens[]>('textDocument/codeLens', uri);
    const resolved = lenses.map(async (lens) =>
      lens.command ? lens : session.client.sendRequest<CodeLens>('codeLens/resolve', lens),
    );
    const shown = (await Promise.all(resolved)).map(({ range, command }) => [
      range.start.line,
      command?.command,
      command?.title,
    ]);
    expect(shown).toEqual([[4, '', '1 use']]);
  });

  it('counts positions in UTF-16, whatever other encodings it offers', async () => {
    const session = await editor(
      { [PATH]: ORDERS.replace('sql_table: t', 'sql_table: t\n    description: "😀 {nothing}"') },
      { general: { positionEncodings: ['utf-8', 'utf-32', 'utf-16'] } },
    );
    expect(session.initialized?.capabilities.positionEncoding ?? 'utf-16').toBe('utf-16');
  });
});

describe('an editor that asks for diagnostics', () => {
  const reportOf = (session: Session, uri: string): Promise<DocumentDiagnosticReport> =>
    session.request<DocumentDiagnosticReport>('textDocument/diagnostic', uri);
  const messages = (report: DocumentDiagnosticReport): readonly string[] =>
    'items' in report ? report.items.map(({ message }: Diagnostic) => message as string) : [];

  it('gets those of the current text, and none that it did not ask for', async () => {
    const session = await editor({ [PATH]: ORDERS }, { textDocument: { diagnostic: {} } });
    expect(session.initialized?.capabilities.diagnosticProvider).toEqual({
      interFileDependencies: true,
      workspaceDiagnostics: false,
    });
    const uri = await session.open(PATH);
    expect(messages(await reportOf(session, uri))).toEqual([]);
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: ORDERS.replace('{total}', '{nobody}') }],
    });
    expect(messages(await reportOf(session, uri))).toEqual(['`nobody` is neither a cube nor a member of `orders`.']);
    expect(session.diagnostics.size).toBe(0);
  });

  it('is notified when a change of another file makes a difference', async () => {
    const session = await editor(
      { [PATH]: ORDERS },
      { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
    );
    const uses = yaml`
      cubes:
        - name: b
          extends: orders
          measures:
            - name: twice
              sql: "{ratio} * 2"
              type: number
    `;
    const uri = await session.open('shop/model/cubes/b.yml', uses);
    expect(messages(await reportOf(session, uri))).toEqual([]);
    const refreshed = new Promise<void>((resolve) => {
      session.client.onRequest('workspace/diagnostic/refresh', () => {
        resolve();
        return null;
      });
    });
    const orders = await session.open(PATH);
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri: orders, version: 2 },
      contentChanges: [{ text: ORDERS.replace('name: ratio', 'name: share') }],
    });
    await refreshed;
    await expect
      .poll(async () => messages(await reportOf(session, uri)))
      .toEqual(['`ratio` is neither a cube nor a member of `b`.']);
  });

  it('gets them as they are found if it also takes those', async () => {
    const session = await editor({ [PATH]: ORDERS }, { textDocument: { diagnostic: {}, publishDiagnostics: {} } });
    expect(session.initialized?.capabilities.diagnosticProvider).toBeUndefined();
    const uri = await session.open(PATH, ORDERS.replace('{total}', '{nobody}'));
    expect((await session.diagnosticsOf(uri, 1)).map(({ message }) => message)).toEqual([
      '`nobody` is neither a cube nor a member of `orders`.',
    ]);
  });
});

describe('an editor that writes null for what is not set', () => {
  it('is asked nothing that only the extension answers', async () => {
    const nothing = { roots: null, tableFolders: null, settings: null } as unknown as SessionOptions;
    const session = await Session.start({ 'shop/model/a.yml': ORDERS }, nothing, [`${ROOT}/shop`]);
    const asked: string[] = [];
    session.client.onRequest((method) => {
      asked.push(method);
      return null;
    });
    const uri = await session.open('shop/model/a.yml');
    await session.diagnosticsOf(uri, 1);
    await session.client.sendRequest('workspace/symbol', { query: '' });
    expect(asked.filter((method) => method.startsWith('modelbench/'))).toEqual([]);
    session.dispose();
  });
});

describe('an editor that watches no files', () => {
  it('learns of changed, new and deleted files when the user saves or opens one', async () => {
    const session = await editor({ [PATH]: ORDERS, 'shop/model/cubes/old.yml': ORDERS.replace('orders', 'old') }, {});
    const uri = await session.open(PATH);
    const names = async (): Promise<readonly string[]> => {
      const found = await session.client.sendRequest<SymbolInformation[]>('workspace/symbol', { query: '' });
      return found
        .map(({ name }) => name)
        .filter((name) => ['orders', 'old', 'new', 'newer'].includes(name))
        .sort();
    };
    expect(await names()).toEqual(['old', 'orders']);
    session.files.delete(`${ROOT}/shop/model/cubes/old.yml`);
    session.files.set(`${ROOT}/shop/model/cubes/new.yml`, ORDERS.replace('orders', 'new'));
    await session.client.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await expect.poll(names).toEqual(['new', 'orders']);
    session.files.set(`${ROOT}/shop/model/cubes/new.yml`, ORDERS.replace('orders', 'newer'));
    await session.open('shop/notes.yml', 'a: 1\n');
    await expect.poll(names).toEqual(['newer', 'orders']);
  });
});
