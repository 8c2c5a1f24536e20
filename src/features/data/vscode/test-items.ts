import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { LineIndex } from '#base/line-index.ts';
import { text, textOf } from '#base/user-text.ts';
import { type QueryOrSql, type JsonMap, parseQueryFile, type QueryTest } from '#model/query-files/query-file.ts';

/** A test and the query whose answer it checks. */
export interface ListedTest {
  readonly item: vscode.TestItem;
  readonly query: QueryOrSql;
  readonly definition: JsonMap;
}

/** The items of the Test Explorer: query files with tests, and their tests. */
export class TestItems {
  readonly #controller: vscode.TestController;
  readonly #tests = new WeakMap<vscode.TestItem, Omit<ListedTest, 'item'>>();

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** Reads a new or changed file; the text of an open editor wins over the disk. */
  async read(uri: vscode.Uri): Promise<void> {
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    try {
      const content = open?.getText() ?? decodedText(await vscode.workspace.fs.readFile(uri));
      this.show(uri, content);
    } catch {
      // The file was deleted before it could be read.
      this.remove(uri);
    }
  }

  /** Shows the tests in the text of a file. */
  show(uri: vscode.Uri, content: string): void {
    const { queryOrSql, tests, title } = parseQueryFile(content);
    if (tests.length === 0) {
      this.remove(uri);
      return;
    }
    const id = uri.toString();
    const { items } = this.#controller;
    const known = items.get(id);
    const label = textOf(vscode.workspace.asRelativePath(uri));
    const file = known ?? this.#controller.createTestItem(id, label, uri);
    if (title === undefined) delete file.description;
    else file.description = textOf(title);
    file.error = queryOrSql !== undefined ? undefined : text`This file has no query that its tests could judge.`;
    const lines = new LineIndex(content);
    const ids = new Map<string, number>();
    file.children.replace(tests.map((test) => this.#item(file, test, { lines, ids, queryOrSql })));
    if (!known) items.add(file);
  }

  remove(uri: vscode.Uri): void {
    this.#controller.items.delete(uri.toString());
  }

  /** Removes files that no longer exist. */
  keepOnly(uris: readonly vscode.Uri[]): void {
    const kept = new Set(uris.map((uri) => uri.toString()));
    const gone: string[] = [];
    this.#controller.items.forEach(({ id }) => void (kept.has(id) || gone.push(id)));
    for (const id of gone) this.#controller.items.delete(id);
  }

  /** Returns the tests of the chosen files and tests, or all tests if none are chosen, in the order of the explorer. */
  testsOf(
    include: readonly vscode.TestItem[] | undefined,
    exclude: readonly vscode.TestItem[] = [],
  ): readonly ListedTest[] {
    const all: ListedTest[] = [];
    const skipped = new Set(exclude.map(({ id }) => id));
    const add = (item: vscode.TestItem): void => {
      if (skipped.has(item.id) || all.some((each) => each.item.id === item.id)) return;
      const test = this.#tests.get(item);
      if (test) all.push({ item, ...test });
      else item.children.forEach((child) => add(child));
    };
    if (include) for (const item of include) add(item);
    else this.#controller.items.forEach((item) => add(item));
    return all;
  }

  #item(
    file: vscode.TestItem,
    { name, start, end, definition }: QueryTest,
    { lines, ids, queryOrSql }: { lines: LineIndex; ids: Map<string, number>; queryOrSql: QueryOrSql | undefined },
  ): vscode.TestItem {
    // Names may repeat; a result of an earlier run stays with the test of the same name.
    const times = (ids.get(name) ?? 0) + 1;
    ids.set(name, times);
    const id = `${file.id}#${name}${times > 1 ? `#${times}` : ''}`;
    const item = file.children.get(id) ?? this.#controller.createTestItem(id, textOf(name), file.uri);
    const [from, to] = [lines.positionAt(start), lines.positionAt(end)];
    item.range = new vscode.Range(from.line, from.character, to.line, to.character);
    if (queryOrSql !== undefined) this.#tests.set(item, { query: queryOrSql, definition });
    else this.#tests.delete(item);
    return item;
  }
}
