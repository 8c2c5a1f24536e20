import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createConnection,
  createMessageConnection,
  type MessageConnection,
  ErrorCodes,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { startServer } from '#language-server/server.ts';

const ROOT = 'file:///shop';
const URI = `${ROOT}/model/a.yml`;
const CUBE = 'cubes:\n  - name: a\n    sql_table: t\n';

/** A client of a server to which nothing has been sent yet. */
function connected(): MessageConnection {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
  startServer(server, {
    listFiles: () => Promise.resolve([URI]),
    readFile: (uri) => Promise.resolve(uri === URI ? CUBE : undefined),
    yield: () => new Promise((resolve) => setImmediate(resolve)),
    now: () => performance.now(),
    isShortLived: true,
  });
  server.listen();
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  client.listen();
  onTestFinished(() => client.dispose());
  return client;
}

const START = { processId: null, rootUri: ROOT, capabilities: {} };

async function running(): Promise<MessageConnection> {
  const client = connected();
  await client.sendRequest('initialize', START);
  await client.sendNotification('initialized', {});
  return client;
}

const about = { textDocument: { uri: URI }, position: { line: 1, character: 11 } };

/** The code of the error that answers a request; 0 if it is answered. */
async function codeOf(client: MessageConnection, method: string, params: object = about): Promise<number> {
  return client.sendRequest(method, params).then(
    () => 0,
    (error: { readonly code: number }) => error.code,
  );
}

const METHODS = [
  'textDocument/hover',
  'workspace/symbol',
  'modelbench/alive',
  'textDocument/semanticTokens/full',
  'no/such',
];

describe('a server to which a client has not introduced itself', () => {
  it.each([...METHODS, 'shutdown'])('answers that it is not initialized: %s', async (method) => {
    expect(await codeOf(connected(), method)).toBe(ErrorCodes.ServerNotInitialized);
  });

  it('passes over notifications, and starts as usual afterwards', async () => {
    const client = connected();
    const textDocument = { uri: URI, languageId: 'yaml', version: 1, text: CUBE };
    await client.sendNotification('textDocument/didOpen', { textDocument });
    await client.sendNotification('initialized', {});
    await client.sendRequest('initialize', START);
    await client.sendNotification('initialized', {});
    await client.sendNotification('textDocument/didOpen', { textDocument });
    expect(await client.sendRequest('textDocument/hover', about)).toEqual({
      contents: {
        kind: 'markdown',
        value: '**a** · cube\n\n0 measures, 0 dimensions, 0 segments\n\n```sql\nt\n```\n\nDefined in a.yml',
      },
      range: { start: { line: 1, character: 10 }, end: { line: 1, character: 11 } },
    });
  });
});

describe('a server that runs', () => {
  it('answers that a method does not exist, and that it is initialized already', async () => {
    const client = await running();
    expect(await codeOf(client, 'no/such')).toBe(ErrorCodes.MethodNotFound);
    expect(await codeOf(client, '$/no/such')).toBe(ErrorCodes.MethodNotFound);
    expect(await codeOf(client, 'initialize', START)).toBe(ErrorCodes.InvalidRequest);
    expect(await codeOf(client, 'workspace/symbol', { query: '' })).toBe(0);
  });

  it('passes over notifications that it does not know, and over cancelled requests that there were not', async () => {
    const client = await running();
    await client.sendNotification('no/such', {});
    await client.sendNotification('$/no/such', {});
    await client.sendNotification('$/cancelRequest', { id: 12_345 });
    await client.sendNotification('textDocument/didClose', { textDocument: { uri: URI } });
    await client.sendNotification('textDocument/didChange', {
      textDocument: { uri: `${ROOT}/model/never-opened.yml`, version: 7 },
      contentChanges: [{ text: 'x' }],
    });
    expect(await codeOf(client, 'workspace/symbol', { query: '' })).toBe(0);
  });
});

describe('a server that was shut down', () => {
  it.each([...METHODS, 'shutdown'])('refuses every request: %s', async (method) => {
    const client = await running();
    expect(await client.sendRequest('shutdown')).toBeNull();
    expect(await codeOf(client, method)).toBe(ErrorCodes.InvalidRequest);
  });
});
