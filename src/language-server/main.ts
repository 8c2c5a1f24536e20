import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type Connection, createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import * as wasm from 'minijinja-js/dist/web/minijinja_js_bg.wasm';
import { asError } from '#base/async.ts';
import { clientFiles } from '#language-server/client/client-files.ts';
import { engineProcess } from './engine/engine-process.ts';
import { templateProcess } from './engine/template-process.ts';
import { fileNotes } from '#language-server/documents/file-notes.ts';
import type { LanguageHost } from './host.ts';
import { withWholeWrites } from '#language-server/client/whole-writes.ts';
import { listFolder, pathOf, readText, realUri, sizeOf } from './node-files.ts';
import { startServer } from './server.ts';

/** The build puts the file beside the bundle; the import is its name. */
const { default: wasmFile } = wasm as unknown as { readonly default: string };

/** A folder of this window: it holds what a crashed process was working on. */
const noted = process.env['MODELBENCH_LANGUAGE_NOTES'];

/** Reads files of `file:` roots from the disk, and others through the client. */
function nodeHost(connection: Connection): LanguageHost {
  const client = clientFiles(connection);
  const engine = engineProcess({
    program: join(__dirname, 'engine-process.js'),
    bundle: join(__dirname, 'engine.js'),
    templates: join(__dirname, wasmFile),
  });
  return {
    listFiles: (root, kind) => {
      if (!root.startsWith('file:')) return client.listFiles(root, kind);
      const folder = pathOf(root);
      return Promise.resolve(folder === undefined ? [] : listFolder(folder, kind));
    },
    readFile: (uri) => (uri.startsWith('file:') ? Promise.resolve(readText(uri)) : client.readFile(uri)),
    fileSize: (uri) => Promise.resolve(uri.startsWith('file:') ? sizeOf(uri) : undefined),
    realUri,
    notes: noted === undefined ? undefined : fileNotes(noted),
    yield: () => nextTurn(),
    now: () => performance.now(),
    engine,
    queryEngine: engine,
    templates: templateProcess({
      program: join(__dirname, 'engine-process.js'),
      bundle: join(__dirname, 'templates.js'),
      templates: join(__dirname, wasmFile),
    }),
    // Node writes its compile cache when a process exits, but a server is often killed. Without a cache, this does nothing.
    onIdle: flushCompileCache,
    // V8's optimizing compiler makes code a third faster, but takes as much time for that as the whole first reading of a model,
    // on the processors that this reading needs.
    reading: (isUnderWay) => setFlagsFromString(isUnderWay ? '--no-opt' : '--opt'),
  };
}

// V8 lets the memory of old objects grow to several times what is in use before it collects garbage. What a model needs changes
// little after it was read, so that only stores garbage: half as much again is enough, and takes no more processor time. Set here
// and not as an option of the process: a V8 that does not know an option ignores it here, and would not start with it.
setFlagsFromString('--heap-growing-percent=50');

const connection = process.argv.includes('--stdio')
  ? createConnection(ProposedFeatures.all, process.stdin, withWholeWrites(process.stdout))
  : createConnection(ProposedFeatures.all);
// An error outside of a request concerns one file or feature: the others continue.
const report = (error: unknown): void => connection.console.error(`Unexpected: ${asError(error).stack ?? ''}`);
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
startServer(connection, nodeHost(connection));
connection.listen();
