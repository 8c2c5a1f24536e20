import { describe, expect, it } from 'vitest';
import { Activity } from '#language-server/activity.ts';
import { Diagnoser } from '#language-server/diagnostics/diagnoser.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { Workspace } from '#language-server/workspace/workspace.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';
import { yaml } from '#support/language/raw.ts';

const ROOT = 'memory:///model';
const CUBE = `${ROOT}/a.yml`;
const VIEW = `${ROOT}/v.yml`;
const FILES = new Map([
  [
    CUBE,
    yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: id, sql: id, type: string}
    `,
  ],
  [
    VIEW,
    yaml`
      views:
        - name: v
          cubes:
            - {join_path: a, includes: [id]}
    `,
  ],
]);

describe('checking the model after a change', () => {
  it('reports the edited document first, and of others when messages were let in', async () => {
    let yielding = Promise.resolve();
    let letIn: () => void = () => undefined;
    const host: LanguageHost = {
      listFiles: () => Promise.resolve([...FILES.keys()]),
      readFile: (uri) => Promise.resolve(FILES.get(uri)),
      yield: () => yielding,
      now: () => 0,
    };
    const documents = new OpenDocuments();
    const workspace = new Workspace(host, documents);
    const told: (readonly [string, number])[] = [];
    const connection = {
      console: { error: (message: string) => expect.unreachable(message) },
      sendDiagnostics: ({ uri, diagnostics }: { readonly uri: string; readonly diagnostics: readonly unknown[] }) => {
        told.push([uri, diagnostics.length]);
        return Promise.resolve();
      },
    };
    const options = { settings: defaultLanguageSettings, docs: undefined };
    const diagnoser = new Diagnoser(connection, workspace, documents, host, new Activity(() => 0), options);
    await workspace.setRoots([ROOT], new AbortController().signal);
    diagnoser.paused = false;
    documents.open({ uri: CUBE, languageId: 'yaml', version: 1, text: FILES.get(CUBE) ?? '' });
    await diagnoser.rest();
    expect(told).toEqual([[CUBE, 0]]);
    yielding = new Promise((resolve) => (letIn = resolve));
    const at = { line: 4, character: 16 };
    documents.change({
      textDocument: { uri: CUBE, version: 2 },
      contentChanges: [{ range: { start: at, end: at }, text: 'x' }],
    });
    // What needs no message to be let in is done by then.
    await new Promise((resolve) => setImmediate(resolve));
    expect(told.slice(1)).toEqual([[CUBE, 0]]);
    letIn();
    await diagnoser.rest();
    expect(told.slice(2)).toEqual([[VIEW, 1]]);
  });
});
