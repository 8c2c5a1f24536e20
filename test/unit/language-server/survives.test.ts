import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createConnection,
  createMessageConnection,
  type DocumentSymbol,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { Heartbeat, silenceMs } from '#features/language/heartbeat.ts';
import { FileAliases } from '#language-server/documents/file-aliases.ts';
import { fileNotes } from '#language-server/documents/file-notes.ts';
import { guardedConnection } from '#language-server/client/guarded-connection.ts';
import { alive } from '#features/language/messages.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { hostileTexts } from '#support/language/hostile-texts.ts';
import { Session } from '#support/language/session.ts';
import { yaml } from '#support/language/raw.ts';

/** Returns the names of symbols. */
const namesIn = (symbols: readonly DocumentSymbol[]): readonly string[] => symbols.map(({ name }) => name);

const CUBE = yaml`
  cubes:
    - name: orders
      sql_table: orders
      measures:
        - name: count
          type: count
`;
const folders: string[] = [];

const spawned: Session[] = [];
afterEach(() => spawned.splice(0).forEach((session) => session.dispose()));
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })));
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'notes-'));
  folders.push(made);
  return made;
};

const position = { line: 0, character: 2 };
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 2 } };
/** Every request about a document, as an editor sends it. */
const REQUESTS: Readonly<Record<string, object>> = {
  'textDocument/hover': { position },
  'textDocument/documentSymbol': {},
  'textDocument/completion': { position },
  'textDocument/definition': { position },
  'textDocument/references': { position, context: { includeDeclaration: true } },
  'textDocument/prepareRename': { position },
  'textDocument/rename': { position, newName: 'other' },
  'textDocument/foldingRange': {},
  'textDocument/selectionRange': { positions: [position] },
  'textDocument/documentLink': {},
  'textDocument/semanticTokens/full': {},
  'textDocument/semanticTokens/range': { range },
  'textDocument/signatureHelp': { position },
  'textDocument/inlayHint': { range },
  'textDocument/codeLens': {},
  'textDocument/codeAction': { range, context: { diagnostics: [] } },
  'textDocument/formatting': { options: { tabSize: 2, insertSpaces: true } },
  'textDocument/onTypeFormatting': { position, ch: '\n', options: { tabSize: 2, insertSpaces: true } },
  'textDocument/prepareCallHierarchy': { position },
  'textDocument/prepareTypeHierarchy': { position },
  'textDocument/documentHighlight': { position },
};

describe('a language server with a hostile file', () => {
  it('answers every request about it, and about the others', async () => {
    const session = await Session.start({ 'orders.yml': CUBE });
    const failed: string[] = [];
    for (const [name, make] of Object.entries(hostileTexts)) {
      const uri = await session.open(name, make(1_500));
      for (const [method, params] of Object.entries(REQUESTS)) {
        // A refusal in words is an answer.
        await session.request(method, uri, params).catch((error: Error) => {
          if (/failed:|Internal/.test(error.message)) failed.push(`${method} ${name}: ${error.message}`);
        });
      }
      await session.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    }
    expect(failed).toEqual([]);
    const uri = await session.open('orders.yml');
    expect(namesIn(await session.request('textDocument/documentSymbol', uri))).toEqual(['orders']);
    session.dispose();
  });

  it('says once, at the top of the file, that it does not check it and why', async () => {
    const session = await Session.start({ 'orders.yml': CUBE });
    const uri = await session.open('deep.js', `x = ${'`${'.repeat(1_200)}1${'}`'.repeat(1_200)}`);
    const found = await session.diagnosticsOf(uri, 1);
    expect(found.map(({ code, severity, range: { start } }) => [code, severity, start])).toEqual([
      ['not-checked', 3, { line: 0, character: 0 }],
    ]);
    session.dispose();
  });
});

describe('after a crash', () => {
  it('the next server skips the very text that the last one died of, and keeps that over further crashes', () => {
    const where = folder();
    const [uri, text] = ['file:///a.yml', 'cubes: []'];
    fileNotes(where).during(uri, { text }, () => {
      // As if the process had ended here.
      const next = fileNotes(where);
      expect(next.isSkipped(uri, text)).toBe(true);
      expect(next.isSkipped(uri, `${text} `)).toBe(false);
      expect(next.isSkipped('file:///b.yml', text)).toBe(false);
      next.during('file:///b.yml', { text }, () => {
        const third = fileNotes(where);
        expect([third.isSkipped(uri, text), third.isSkipped('file:///b.yml', text)]).toEqual([true, true]);
      });
    });
  });

  it('recognises a long text by the piece around its last edit', () => {
    const where = folder();
    const uri = 'file:///a.yml';
    const [before, piece, after] = ['a'.repeat(500), 'b'.repeat(20), 'c'.repeat(500)];
    const text = before + piece + after;
    fileNotes(where).during(uri, { text, excerpt: { start: 500, text: piece } }, () => {
      const next = fileNotes(where);
      expect(next.isSkipped(uri, text)).toBe(true);
      expect(next.isSkipped(uri, `${text} `)).toBe(false);
      expect(next.isSkipped(uri, `${before}${'d'.repeat(20)}${after}`)).toBe(false);
    });
  });

  it('nothing is skipped that was worked on to its end, or failed without ending the process', () => {
    const where = folder();
    const notes = fileNotes(where);
    notes.during('file:///a.yml', { text: 'a' }, () => notes.during('file:///b.yml', { text: 'b' }, () => undefined));
    expect(() =>
      notes.during('file:///c.yml', { text: 'c' }, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    const next = fileNotes(where);
    expect(['a', 'b', 'c'].some((name) => next.isSkipped(`file:///${name}.yml`, name))).toBe(false);
  });

  it('a skipped file says so, and is read again once it is edited', async () => {
    const notes = {
      isSkipped: (_uri: string, text: string) => text.includes('deadly'),
      during: <T>(_uri: string, _noted: object, work: () => T): T => work(),
    };
    const session = await Session.start({ 'orders.yml': CUBE }, {}, [], undefined, { notes });
    const uri = await session.open(
      'bad.yml',
      yaml`
        cubes: # deadly
          - name: a
            sql_table: b
      `,
    );
    expect(await session.diagnosticsOf(uri, 1)).toMatchInlineSnapshot(`
      [
        {
          "code": "not-checked",
          "message": "Modelbench does not check this file: the language server stopped while it worked on this text. It is read again once it changes.",
          "range": {
            "end": {
              "character": 1,
              "line": 0,
            },
            "start": {
              "character": 0,
              "line": 0,
            },
          },
          "severity": 3,
          "source": "modelbench",
        },
      ]
    `);
    await session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [
        {
          text: yaml`
            cubes:
              - name: a
                sql_table: b
          `,
        },
      ],
    });
    expect(await session.diagnosticsOf(uri, 2)).toEqual([]);
    session.dispose();
  });
});

describe('a language server that hangs', () => {
  // @shows hang (server)
  it('gives way to another one, which skips the very text that it hung on', async () => {
    const server = fileURLToPath(new URL('../../support/language/looping-server.ts', import.meta.url));
    const where = folder();
    const clock = new ManualClock();
    const start = async (): Promise<Session> => {
      const session = await Session.spawn(server, { 'orders.yml': CUBE }, {}, [where]);
      spawned.push(session);
      return session;
    };
    const first = await start();
    const onSilent = vi.fn(() => first.dispose());
    let answers = 0;
    const ask = async (): Promise<void> => {
      await first.client.sendRequest(alive);
      answers += 1;
    };
    const heartbeat = new Heartbeat({ ask, onSilent, clock });
    await clock.advance(5_000);
    await expect.poll(() => answers).toBe(1);
    const text = `${CUBE}# loop for ever\n`;
    await first.open('bad.yml', text);
    await expect.poll(() => readFileSync(join(where, 'working-on.json'), 'utf8')).toContain('bad.yml');
    expect(onSilent).not.toHaveBeenCalled();
    await clock.advance(3 * silenceMs);
    expect(onSilent).toHaveBeenCalledTimes(1);
    heartbeat.dispose();
    await first.ended;

    const second = await start();
    // The client sends what the user has typed, as it stands.
    const uri = await second.open('bad.yml', text);
    expect((await second.diagnosticsOf(uri, 1)).map(({ code }) => code)).toEqual(['not-checked']);
    const orders = await second.open('orders.yml');
    expect(namesIn(await second.request('textDocument/documentSymbol', orders))).toEqual(['orders']);
  });
});

describe('guardedConnection', () => {
  it('answers what a handler throws as an error, logs it, and continues', async () => {
    const [up, down] = [new PassThrough(), new PassThrough()];
    const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
    const guarded = guardedConnection(server, new FileAliases());
    guarded.onInitialize(() => ({ capabilities: {} }));
    guarded.onHover(() => {
      throw new Error('hover broke');
    });
    guarded.onRequest('own/later', () => Promise.reject(new Error('later broke')));
    guarded.onNotification('own/told', () => Promise.reject(new Error('notification broke')));
    guarded.languages.semanticTokens.on(() => {
      throw new RangeError('tokens broke');
    });
    guarded.onDocumentSymbol(() => []);
    server.listen();
    const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    const logged: string[] = [];
    client.onNotification('window/logMessage', ({ message }: { message: string }) => void logged.push(message));
    client.listen();
    const about = { textDocument: { uri: 'a:b' } };
    await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
    const answers = [];
    for (const method of ['textDocument/hover', 'own/later', 'textDocument/semanticTokens/full'])
      answers.push(await client.sendRequest(method, { ...about, position }).catch(({ message }: Error) => message));
    expect(answers).toEqual([
      'onHover failed: hover broke',
      'own/later failed: later broke',
      'on failed: tokens broke',
    ]);
    await client.sendNotification('own/told', {});
    expect(await client.sendRequest('textDocument/documentSymbol', about)).toEqual([]);
    expect(logged.filter((line) => line.includes('broke'))).toHaveLength(4);
    client.dispose();
  });
});
