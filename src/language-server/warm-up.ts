import { Activity } from './activity.ts';
import { Diagnoser } from '#language-server/diagnostics/diagnoser.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from './host.ts';
import { completion } from '#language-server/ide/completion/completion.ts';
import type { DiagnosticOptions } from './ide/diagnostics.ts';
import { hover } from './ide/hover.ts';
import { references } from '#language-server/ide/navigation/navigation.ts';
import { documentSymbols } from '#language-server/ide/navigation/symbols.ts';
import type { DiagnosticsConnection } from '#language-server/diagnostics/publisher.ts';
import { TokenCache } from '#language-server/requests/token-cache.ts';
import { type Opened, Workspace } from '#language-server/workspace/workspace.ts';

/**
 * The number of typed keys. Code that ran less often would be compiled while a user waits, by threads that take the processors.
 */
const KEYS = 80;
const ROOT = 'warm-up:';
const URI = `${ROOT}/model.yml`;

/**
 * The number of members in each group of a cube. This makes some 8 KB: V8 compiles loops as it does for a user's model only if
 * they are as long.
 */
const MEMBERS = 28;

const members = (write: (at: number) => string): string =>
  Array.from({ length: MEMBERS }, (_, at) => write(at)).join('');
const cube = (name: string, other: string): string => `  - name: ${name}
    sql: "SELECT * FROM shop.${name} WHERE {FILTER_PARAMS.${name}.at.filter('at')}"
    title: What people bought
    joins:
      - name: ${other}
        relationship: many_to_one
        sql: "{CUBE}.other_id = {${other}.id}"
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - name: at
        sql: "{CUBE}.created_at"
        type: time
${members(
  (at) => `      - name: status_${at}
        description: Where it is
        sql: "CASE WHEN {CUBE}.status IS NULL THEN 'new' ELSE {CUBE.id} END"
        type: string
`,
)}    measures:
      - name: count
        type: count
        drill_members: [id, status_0, ${other}.status_0]
${members(
  (at) => `      - name: total_${at}
        title: Total
        sql: "{CUBE.count} * {${other}.id}"
        type: number
        format: currency
        filters:
          - sql: "{CUBE.status_0} = 'paid'"
`,
)}    pre_aggregations:
      - name: main
        measures: [count]
        dimensions: [status_0, ${other}.status_0]
        time_dimension: at
        granularity: day
`;
const MODEL = `cubes:
${cube('orders', 'users')}${cube('users', 'orders')}views:
  - name: shop
    cubes:
      - join_path: orders.users
        prefix: true
        includes: [status_0, count]
`;

/** A host without files. */
const NOWHERE: LanguageHost = {
  listFiles: () => Promise.resolve([]),
  readFile: () => Promise.resolve(undefined),
  yield: () => Promise.resolve(),
  now: () => 0,
};

/**
 * Types into a generated model and sends requests about it, in steps of a few milliseconds: V8 has then compiled the code for the
 * user's first keystrokes and requests. Keystrokes take the same way as a user's, except that the message at its end is not sent.
 */
export async function* warmUp(
  options: DiagnosticOptions,
  console: DiagnosticsConnection['console'],
): AsyncIterable<void> {
  const documents = new OpenDocuments();
  const workspace = new Workspace(NOWHERE, documents);
  const silent: DiagnosticsConnection = { console, sendDiagnostics: () => Promise.resolve() };
  const diagnoser = new Diagnoser(silent, workspace, documents, NOWHERE, new Activity(() => 0), options);
  await workspace.setRoots([ROOT], new AbortController().signal);
  diagnoser.paused = false;
  documents.open({ uri: URI, languageId: 'yaml', version: 1, text: MODEL });
  await diagnoser.rest();
  yield;
  const offset = MODEL.indexOf('{CUBE.id} END');
  const start = workspace.get(URI)?.positions.positionAt(offset) ?? { line: 0, character: 0 };
  for (let key = 0; key < KEYS; key++) {
    documents.change({
      textDocument: { uri: URI, version: key + 2 },
      contentChanges: [{ range: { start, end: start }, text: 'x' }],
    });
    yield;
    const opened = workspace.get(URI);
    if (!opened || key % 4 !== 0) continue;
    for (const question of QUESTIONS) {
      question(opened, offset + key + 2, workspace);
      yield;
    }
  }
}

const QUESTIONS: readonly ((opened: Opened, offset: number, workspace: Workspace) => unknown)[] = [
  (opened, offset) => completion(opened, offset),
  (opened, offset) => hover(opened, offset),
  documentSymbols,
  (opened, offset, workspace) => references(opened, offset, workspace, true),
  (opened) => new TokenCache().full(opened),
];
