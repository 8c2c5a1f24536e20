// A faulty language server: it loops forever on a text with `loop for ever` in it.
//   node test/support/language/looping-server.ts NOTES-FOLDER
import { setImmediate } from 'node:timers/promises';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { clientFiles } from '#language-server/client/client-files.ts';
import { fileNotes } from '#language-server/documents/file-notes.ts';
import { startServer } from '#language-server/server.ts';

const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const notes = fileNotes(process.argv[2] ?? '');
startServer(connection, {
  ...clientFiles(connection),
  yield: () => setImmediate(),
  now: () => performance.now(),
  notes: {
    isSkipped: (uri, text) => notes.isSkipped(uri, text),
    during: (uri, noted, work) =>
      notes.during(uri, noted, () => {
        // A skipped text is not read at all.
        while (noted.text.includes('loop for ever') && !notes.isSkipped(uri, noted.text));
        return work();
      }),
  },
});
connection.listen();
