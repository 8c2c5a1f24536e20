import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { normalizeUri } from '#language-server/documents/uris.ts';
import { looksLikeModel } from '#model/project/looks-like-model.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { LateDisk, turns } from '#support/language/late-disk.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';

const FILES = [
  'a/one.yml',
  'a/two.yml',
  'a/inner/three.yml',
  'a/inner/lines.jinja',
  'a/four.js',
  'a/numbers.query.yml',
  'b ü/#100%.yml',
  'elsewhere/five.yml',
].map((path) => `${ROOT}/${path.split('/').map(encodeURIComponent).join('/')}`);
const FOLDERS = [`${ROOT}/a`, `${ROOT}/a/inner`, `${ROOT}/b%20%C3%BC`];

const TEXTS = [
  '',
  yaml`
    cubes:
      - name: orders
        sql_table: t
        joins:
          - name: users
            relationship: many_to_one
            sql: "{CUBE}.u = {users.id}"
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
        measures:
          - name: total
            sql: "{users.age} + {missing}"
            type: sum
  `,
  yaml`
    cubes:
      - name: users
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - name: age
            title: "😀 é"
            sql: "{CUBE}.age"
            type: number
  `,
  yaml`
    views:
      - name: shop
        cubes:
          - join_path: orders.users
            includes: [age, nothing]
  `.replaceAll('\n', '\r\n'),
  jinja`
    {% from "lines.jinja" import lines %}
    cubes:
      - name: orders
        sql_table: "{{ lines() }}"
  `,
  jinja`
    {% macro lines() %}shop.orders{% endmacro %}
  `,
  js`
    cube('users', { sql_table: 't', dimensions: { id: { sql: 'id', type: 'number', primary_key: true } } });
  `,
  yaml`
    services:
      web: {image: a}
  `,
  yaml`
    cubes:
      - name: "users
        sql_table: [
  `,
  yaml`
    measures: [orders.total, orders.nothing]
  `,
];

const file = fc.nat(FILES.length - 1);
const text = fc.constantFrom(...TEXTS);
/** How a client writes a URI: as the server does, with more characters escaped, or with escapes in lower case. */
const spelling = fc.constantFrom('plain', 'escaped', 'lower');
const position = fc.record({
  line: fc.oneof({ weight: 4, arbitrary: fc.nat(12) }, fc.constant(100_000)),
  character: fc.oneof({ weight: 4, arbitrary: fc.nat(24) }, fc.constant(2 ** 31 - 1)),
});
const edit = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      range: fc.record({ start: position, end: position }),
      text: fc.constantFrom('', 'x', '😀', '\r', '\n', '\r\n  ', '  - name: z\n'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ text }) },
);
const METHODS = [
  'documentSymbol',
  'hover',
  'completion',
  'semanticTokens/full',
  'references',
  'codeLens',
  'foldingRange',
  'diagnostic',
  'definition',
];
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('open' as const), file, spelling, text: fc.option(text) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('change' as const),
      file,
      spelling,
      version: fc.integer({ min: -2, max: 40 }),
      edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('close' as const), file, spelling }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('save' as const), file, spelling }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('write' as const), file, text }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('delete' as const), file }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('move' as const), file, to: file }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('remove folder' as const), folder: fc.nat(FOLDERS.length - 1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('report' as const),
      how: fc.constantFrom('in order', 'backwards', 'twice', 'only folders', 'as a rename'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('roots' as const),
      roots: fc.subarray(FOLDERS),
      found: fc.subarray(FOLDERS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('ask' as const),
      file,
      spelling,
      method: fc.constantFrom(...METHODS),
      position,
      isCancelled: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('wait' as const), turns: fc.nat(6) }) },
);
type Step = typeof event extends fc.Arbitrary<infer E> ? E : never;

interface Roots {
  readonly roots: readonly string[];
  readonly found: readonly string[];
}

/** A client with a disk and documents, which knows what the server should know. */
class Client {
  readonly disk: LateDisk;
  readonly documents = new Map<string, TextDocument>();
  /** The last text of each document, since it was opened, that looked like a model. */
  readonly #recognised = new Map<string, string>();
  roots: Roots = { roots: FOLDERS.slice(0, 1), found: [] };
  #unreported: string[] = [];
  #session!: Session;

  constructor(delays: readonly number[]) {
    this.disk = new LateDisk(delays);
  }

  async start(): Promise<void> {
    this.#session = await Session.start({}, this.roots, [], undefined, this.disk.host);
  }

  dispose(): void {
    this.#session.dispose();
  }

  async play(step: Step): Promise<void> {
    switch (step.is) {
      case 'write':
      case 'delete':
      case 'move':
      case 'remove folder':
        this.#changeDisk(step);
        return undefined;
      case 'open':
        return this.#open(step);
      case 'change':
        return this.#change(step);
      case 'close':
        return this.#close(step);
      case 'save':
        return this.#notify('textDocument/didSave', { textDocument: identifier(step) });
      case 'report':
        return this.#report(step.how);
      case 'roots':
        return this.#setRoots(step);
      case 'ask':
        return this.#ask(step);
      case 'wait':
        return turns(step.turns);
      default:
        return step;
    }
  }

  #changeDisk(step: Extract<Step, { is: 'write' | 'delete' | 'move' | 'remove folder' }>): void {
    switch (step.is) {
      case 'write':
        this.#write(uriOf(step), step.text);
        return;
      case 'delete':
        this.#write(uriOf(step), undefined);
        return;
      case 'move':
        this.#move(uriOf(step), FILES[step.to] ?? '');
        return;
      case 'remove folder':
        for (const uri of [...this.disk.files.keys()])
          if (uri.startsWith(`${FOLDERS[step.folder]}/`)) this.#write(uri, undefined);
        return;
      default:
        step satisfies never;
    }
  }

  #open(step: Extract<Step, { is: 'open' }>): Promise<void> {
    const uri = uriOf(step);
    return this.open(uri, step.text ?? this.disk.files.get(uri) ?? '', step.spelling);
  }

  #close(step: Extract<Step, { is: 'close' }>): Promise<void> {
    this.documents.delete(uriOf(step));
    return this.#notify('textDocument/didClose', { textDocument: identifier(step) });
  }

  #setRoots({ roots, found }: Extract<Step, { is: 'roots' }>): Promise<void> {
    this.roots = { roots, found: found.filter((uri) => roots.includes(uri)) };
    return this.#notify('modelbench/options', { ...this.roots, settings: defaultLanguageSettings });
  }

  async open(uri: string, content: string, how = 'plain'): Promise<void> {
    this.documents.set(uri, TextDocument.create(uri, 'yaml', 1, content));
    this.#recognised.delete(uri);
    this.#note(uri);
    const textDocument = { uri: spelt(uri, how), languageId: 'yaml', version: 1, text: content };
    await this.#notify('textDocument/didOpen', { textDocument });
  }

  /**
   * Opens a document in another client with its current text; first with the last text that looked like a model, because a document
   * that was a model stays one until it is closed.
   */
  async openIn(other: Client, uri: string): Promise<void> {
    const content = this.documents.get(uri)?.getText() ?? '';
    const recognised = this.#recognised.get(uri);
    if (recognised === undefined || looksLikeModel(uri, content)) return other.open(uri, content);
    await other.open(uri, recognised);
    const textDocument = { uri, version: 2 };
    await other.#notify('textDocument/didChange', { textDocument, contentChanges: [{ text: content }] });
  }

  #note(uri: string): void {
    const content = this.documents.get(uri)?.getText() ?? '';
    if (looksLikeModel(uri, content)) this.#recognised.set(uri, content);
  }

  /** Reports what was not reported yet, and waits until the server is done. */
  async settle(): Promise<void> {
    if (this.#unreported.length > 0) await this.#report('as a rename');
    await this.disk.idle();
  }

  /** Everything that the server says about every file. */
  async said(): Promise<unknown> {
    const { client, diagnostics } = this.#session;
    const about: unknown[] = [];
    for (const uri of FILES) {
      const params = { textDocument: { uri } };
      about.push({
        uri,
        // Problems of an open document come under the URI that the client wrote.
        problems: [...diagnostics]
          .flatMap(([each, params]) => (normalizeUri(each) === normalizeUri(uri) ? params.diagnostics : []))
          .map((each) => JSON.stringify(each))
          .sort(),
        outline: await client.sendRequest('textDocument/documentSymbol', params),
        colors: await client
          .sendRequest<{ data: unknown }>('textDocument/semanticTokens/full', params)
          .then(({ data }) => data),
        lenses: await client.sendRequest('textDocument/codeLens', params),
      });
    }
    const symbols = await client.sendRequest<readonly object[] | null>('workspace/symbol', { query: '' });
    return { about, symbols: (symbols ?? []).map((each) => JSON.stringify(each)).sort() };
  }

  async #change(step: Extract<Step, { is: 'change' }>): Promise<void> {
    const uri = uriOf(step);
    for (const each of step.edits) {
      const document = this.documents.get(uri);
      if (!document) break;
      // A document of its own for each edit: the library does not count lines rightly behind the end of a text.
      const edited = TextDocument.update(document, [each], step.version).getText();
      this.documents.set(uri, TextDocument.create(uri, 'yaml', step.version, edited));
    }
    this.#note(uri);
    const textDocument = { ...identifier(step), version: step.version };
    await this.#notify('textDocument/didChange', { textDocument, contentChanges: step.edits });
  }

  #write(uri: string, content: string | undefined): void {
    if (content === undefined) this.disk.files.delete(uri);
    else this.disk.files.set(uri, content);
    this.#unreported.push(uri);
  }

  #move(from: string, to: string): void {
    const content = this.disk.files.get(from);
    if (content === undefined || from === to) return;
    this.#write(from, undefined);
    this.#write(to, content);
  }

  async #report(how: string): Promise<void> {
    const uris = this.#unreported;
    this.#unreported = [];
    if (how === 'as a rename') {
      await this.#notify('workspace/didRenameFiles', { files: [{ oldUri: `${ROOT}/x`, newUri: `${ROOT}/y` }] });
      return;
    }
    const named =
      how === 'only folders'
        ? [...new Set(uris.map((uri) => uri.slice(0, uri.lastIndexOf('/'))))]
        : how === 'backwards'
          ? uris.toReversed()
          : uris;
    const events = named.map((uri) => ({ uri, type: this.disk.files.has(uri) ? 2 : 3 }));
    const changes = how === 'twice' ? [...events, ...events] : events;
    await this.#notify('workspace/didChangeWatchedFiles', { changes });
  }

  async #ask(step: Extract<Step, { is: 'ask' }>): Promise<void> {
    const source = new CancellationTokenSource();
    const params = { textDocument: identifier(step), position: step.position, context: { includeDeclaration: true } };
    const answer = this.#session.client.sendRequest(`textDocument/${step.method}`, params, source.token);
    if (step.isCancelled) source.cancel();
    // A cancelled request is answered as such; others never fail.
    await answer.catch((error: unknown) => {
      if (!step.isCancelled) throw error;
    });
  }

  #notify(method: string, params: object): Promise<void> {
    return this.#session.client.sendNotification(method, params);
  }
}

function uriOf({ file: at }: { readonly file: number }): string {
  return FILES[at] ?? '';
}

function identifier(step: { readonly file: number; readonly spelling: string }): { readonly uri: string } {
  return { uri: spelt(uriOf(step), step.spelling) };
}

function spelt(uri: string, how: string): string {
  if (how === 'lower') return uri.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  if (how === 'escaped') return uri.replace(/\.(\w+)$/, '%2E$1').replace('/a/', '/%61/');
  return uri;
}

const LINES = `{% from "lines.jinja" import lines %}
cubes:
  - name: orders
    sql_table: "{{ lines() }}"
`;
const LINE_END = { line: 2, character: 2_147_483_647 };
/** A template is rendered again and says the same: what another file says about it must still lead there. */
const renderedAgain: [[number, string][], Step[], number[]] = [
  [[0, LINES]],
  [
    { is: 'open', file: 2, spelling: 'plain', text: LINES },
    { is: 'report', how: 'in order' },
    {
      ...{ is: 'change', file: 2, spelling: 'plain', version: 0 },
      edits: [{ range: { start: LINE_END, end: LINE_END }, text: '' }],
    },
  ],
  [0],
];

/** A document is opened again in another spelling, without having been closed: its problems move along. */
const openedAgain: [[number, string][], Step[], number[]] = [
  [],
  [
    { is: 'open', file: 3, spelling: 'escaped', text: TEXTS[7] ?? '' },
    { is: 'open', file: 3, spelling: 'plain', text: null },
  ],
  [0],
];

describe('a server after anything that an editor and a disk can do', () => {
  it('says the same as one that was just started on the same files', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(file, text), { maxLength: 6 }),
        fc.array(event, { minLength: 1, maxLength: 25 }),
        fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
        async (files, steps, delays) => {
          const client = new Client(delays);
          for (const [at, content] of files) client.disk.files.set(FILES[at] ?? '', content);
          await client.start();
          for (const step of steps) await client.play(step);
          await client.settle();
          const fresh = new Client([0]);
          fresh.roots = client.roots;
          for (const [uri, content] of client.disk.files) fresh.disk.files.set(uri, content);
          await fresh.start();
          for (const uri of client.documents.keys()) await client.openIn(fresh, uri);
          await fresh.settle();
          expect(await client.said()).toEqual(await fresh.said());
          client.dispose();
          fresh.dispose();
        },
      ),
      { numRuns: 150, examples: [renderedAgain, openedAgain] },
    );
  });
});
