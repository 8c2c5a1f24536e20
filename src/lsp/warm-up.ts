import { TextDocument } from 'vscode-languageserver-textdocument';
import { editFile } from '#model/edit.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { OpenDocuments } from './documents.ts';
import type { LanguageHost } from './host.ts';
import { completion } from './ide/completion.ts';
import { type DiagnosticOptions, diagnostics } from './ide/diagnostics.ts';
import { hover } from './ide/hover.ts';
import { references } from './ide/navigation.ts';
import { documentSymbols } from './ide/symbols.ts';
import { TokenCache } from './token-cache.ts';
import { type ModelRoot, type Opened, Workspace } from './workspace.ts';

/** So many keys are typed: code that ran less is still interpreted. */
const KEYS = 40;
const URI = 'warm-up:/model.yml';

const cube = (name: string, other: string): string => `  - name: ${name}
    sql: "SELECT * FROM shop.${name} WHERE {FILTER_PARAMS.${name}.at.filter('at')}"
    title: What people bought
    joins:
      - name: ${other}
        relationship: many_to_one
        sql: "{CUBE}.other_id = {${other}.id}"
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - name: status
        description: Where it is
        sql: "CASE WHEN {CUBE}.status IS NULL THEN 'new' ELSE {CUBE.id} END"
        type: string
      - name: at
        sql: "{CUBE}.created_at"
        type: time
    measures:
      - name: count
        type: count
        drill_members: [id, status, ${other}.status]
      - name: total
        sql: "{CUBE.count} * {${other}.id}"
        type: number
        format: currency
        filters:
          - sql: "{CUBE.status} = 'paid'"
    pre_aggregations:
      - name: main
        measures: [count]
        dimensions: [status, ${other}.status]
        time_dimension: at
        granularity: day
`;
const MODEL = `cubes:
${cube('orders', 'users')}${cube('users', 'orders')}views:
  - name: shop
    cubes:
      - join_path: orders.users
        prefix: true
        includes: [status, count]
`;

/** Nothing of it is read from anywhere. */
const NOWHERE: LanguageHost = {
  listFiles: () => Promise.resolve([]),
  readFile: () => Promise.resolve(undefined),
  yield: () => Promise.resolve(),
  now: () => 0,
};

/**
 * Types into a model of its own and asks about it, in steps of a few milliseconds: the first keys and questions of a person
 * then meet code that V8 has compiled. Nothing of it is seen anywhere.
 */
export function* warmUp(options: DiagnosticOptions): Iterable<void> {
  const workspace = new Workspace(NOWHERE, new OpenDocuments());
  const index = new ModelIndex();
  const root: ModelRoot = { uri: 'warm-up:', index, loose: false, mixed: false };
  const document = TextDocument.create(URI, 'yaml', 1, MODEL);
  const start = MODEL.indexOf('{CUBE.id} END');
  const position = document.positionAt(start);
  let file = parseFile(URI, MODEL);
  yield;
  for (let key = 0; key < KEYS; key++) {
    TextDocument.update(document, [{ range: { start: position, end: position }, text: 'x' }], key + 2);
    file = editFile(file, document.getText(), [{ start, end: start, text: 'x' }]);
    index.set(file);
    yield;
    const opened = { uri: URI, root, file, positions: document };
    diagnostics(opened, options, workspace, true);
    yield;
    if (key % 4 !== 0) continue;
    for (const question of QUESTIONS) {
      question(opened, start + key + 3, workspace);
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
