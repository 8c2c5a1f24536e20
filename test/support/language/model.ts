import { parseFile } from '#model/file.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { templateGlobals } from '#model/project/globals.ts';
import { ModelIndex } from '#model/index.ts';
import { readTables } from '#model/tables/read-tables.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import { LineIndex } from '#base/line-index.ts';
import { type ModelRoot, type Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { filesIn } from './raw.ts';

export interface Fixture {
  readonly opened: Opened;
  /** Offset of `$0`. */
  readonly offset: number;
  readonly workspace: Workspace;
  readonly index: ModelIndex;
  readonly file: (path: string) => Opened;
  /** The texts of all files by path, including those that are not models. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Opens a model in one text at `$0`; see `filesIn`. */
export function fixture(text: string): Fixture {
  const uri = 'memory:///model';
  const index = new ModelIndex(`${uri}/`);
  const root: ModelRoot = { uri, index, isStandalone: false, mixed: false };
  let cursor: { readonly path: string; readonly offset: number } | undefined;
  const files = filesIn(text);
  for (const [path, marked] of files) {
    const at = marked.indexOf('$0');
    const uri = `${root.uri}/${path}`;
    if (at !== -1) cursor = { path: uri, offset: at };
    if (path === 'globals.py') root.globals = { uri, text: marked, names: templateGlobals(marked) };
    if (path === 'modelbench.tables.json') root.tables = readTables({ list: marked });
    if (isModelPath(path)) index.set(parseFile(uri, marked.replace('$0', '')));
  }
  const open = (uri: string): Opened => {
    const file = index.file(uri);
    if (!file) throw new Error(`The fixture has no ${uri}.`);
    return { uri, root, file, positions: new LineIndex(file.text) };
  };
  const host = {
    listFiles: () => Promise.resolve([]),
    readFile: () => Promise.resolve(undefined),
    yield: () => Promise.resolve(),
    now: () => 0,
  };
  const workspace = new Workspace(host, new OpenDocuments());
  const first = `${root.uri}/${[...files].find(([path]) => isModelPath(path))?.[0] ?? ''}`;
  return {
    opened: open(cursor?.path ?? first),
    offset: cursor?.offset ?? 0,
    workspace,
    index,
    file: (path) => open(`${root.uri}/${path}`),
    texts: new Map([...files].map(([path, marked]) => [path, marked.replace('$0', '')])),
  };
}

/** Returns the text of a range, for readable expectations. */
export function textIn(
  opened: Opened,
  range: { readonly start: { line: number; character: number }; readonly end: { line: number; character: number } },
): string {
  return opened.file.text.slice(opened.positions.offsetAt(range.start), opened.positions.offsetAt(range.end));
}
