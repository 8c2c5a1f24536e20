// A faulty language server: it loops forever on a text with `loop for ever` in it.
//   node test/support/language/looping-server.ts NOTES-FOLDER
import { setImmediate } from 'node:timers/promises';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { clientFiles } from '#language-server/client-files.ts';
import { fileNotes } from '#language-server/file-notes.ts';
import { startServer } from '#language-server/server.ts';

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const notes = fileNotes(process.argv[2] ?? '');
startServer(connection, {
  ...clientFiles(connection),
  yield: () => setImmediate(),
  now: () => performance.now(),
  notes: {
    isSkipped: (uri, text) => notes.isSkipped(uri, text),
    during: (uri, text, work) =>
      notes.during(uri, text, () => {
        // A skipped text is not read at all.
        while (text.includes('loop for ever') && !notes.isSkipped(uri, text));
        return work();
      }),
  },
});
connection.listen();
