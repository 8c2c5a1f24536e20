import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { asError } from '#base/async.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { text, textOf } from '#base/user-text.ts';
import type { LazyQueries } from '#features/data/queries.ts';
import type { BuildWatcher } from '#features/platform/index.ts';
import type { EnvironmentChoice, QueryTarget } from '#features/data/query-service.ts';
import { QueryTestRun, type TestEnd } from '#features/data/query-tests.ts';
import { noTarget } from '#features/data/no-target.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import { appendLine } from '#shell/vscode/guarded/tests.ts';
import type { WindowTrust } from '#shell/trust.ts';
import { folderOf } from './choose-target.ts';
import { queryGlob } from '#features/data/query-glob.ts';
import { findQueryFiles, subjectOf, watchQueryFolders } from './query-folders.ts';
import { TestItems } from './test-items.ts';

/** The dependencies of the Test Explorer. */
export interface TestExplorerDeps extends WindowTrust {
  readonly queries: LazyQueries;
  /** Returns the branch of the folder that contains a file. */
  readonly branchOf: (uri: vscode.Uri) => EnvironmentChoice | undefined;
  readonly builds: Pick<BuildWatcher, 'onDidFinish'>;
  readonly logger: Logger;
}

/** Shows the tests of query files in VS Code’s Test Explorer and runs them; loaded with the code that reads models. */
export async function openTestExplorer(deps: TestExplorerDeps): Promise<Disposable> {
  const explorer = new TestExplorer(deps);
  await explorer.discover();
  return explorer;
}

class TestExplorer implements Disposable {
  readonly #deps: TestExplorerDeps;
  readonly #store = new DisposableStore();
  readonly #controller: vscode.TestController;
  readonly #items: TestItems;

  constructor(deps: TestExplorerDeps) {
    this.#deps = deps;
    this.#controller = this.#store.add(
      vscode.tests.createTestController('modelbench.queries', text`Data Model Queries`),
    );
    this.#items = new TestItems(this.#controller);
    this.#controller.refreshHandler = async () => this.discover();
    const profile = this.#controller.createRunProfile(
      text`Run on the Branch`,
      vscode.TestRunProfileKind.Run,
      async (request, token) =>
        request.continuous === true ? this.#keepRunning(request, token) : this.#run(request, token),
      true,
    );
    profile.supportsContinuousRun = true;
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher(queryGlob));
    const read = (uri: vscode.Uri): void => void this.#items.read(uri);
    this.#store.add(watcher.onDidCreate(read));
    this.#store.add(watcher.onDidChange(read));
    this.#store.add(watcher.onDidDelete((uri) => this.#items.remove(uri)));
    this.#store.add(watchQueryFolders(() => void this.discover()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isQueryPath(document.uri.path)) this.#items.show(document.uri, document.getText());
      }),
    );
  }

  /** Reads all query files of the window again. */
  async discover(): Promise<void> {
    const found = await findQueryFiles();
    this.#items.keepOnly(found);
    for (const uri of found) await this.#items.read(uri);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken, mayAsk = true): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const stopping = new AbortController();
    const listening = token.onCancellationRequested(() => stopping.abort());
    if (token.isCancellationRequested) stopping.abort();
    try {
      const tests = this.#items.testsOf(request.include, request.exclude);
      for (const { item } of tests) run.enqueued(item);
      for (const [file, own] of Map.groupBy(tests, ({ item }) => item.uri?.toString() ?? ''))
        await this.#runFile(vscode.Uri.parse(file, true), own, { run, signal: stopping.signal, mayAsk });
    } finally {
      listening.dispose();
      run.end();
    }
  }

  async #runFile(
    uri: vscode.Uri,
    tests: ReturnType<TestItems['testsOf']>,
    { run, signal, mayAsk }: { run: vscode.TestRun; signal: AbortSignal; mayAsk: boolean },
  ): Promise<void> {
    const runner = await this.#runnerFor(uri, { run, signal, mayAsk }).catch((error: unknown) => asError(error));
    for (const { item, query, definition } of tests) {
      if (signal.aborted) run.skipped(item);
      else if (runner instanceof Error) run.errored(item, new vscode.TestMessage(textOf(runner.message)));
      else {
        run.started(item);
        const began = Date.now();
        const end = await runner.run(query, definition).catch((error: unknown): TestEnd => this.#bug(error));
        report(run, item, end, Date.now() - began);
      }
    }
  }

  async #runnerFor(
    uri: vscode.Uri,
    { run, signal, mayAsk }: { run: vscode.TestRun; signal: AbortSignal; mayAsk: boolean },
  ): Promise<QueryTestRun> {
    if (!this.#deps.isTrusted.value)
      throw new Error('This window is in Restricted Mode: nothing is sent to the platform. Trust the workspace first.');
    const queries = await this.#deps.queries();
    const about = subjectOf(uri);
    const target = await queries.choices.whereFor(folderOf(about), this.#deps.branchOf(about));
    if (!target) throw noTarget();
    appendLine(run, text`Tests of ${vscode.workspace.asRelativePath(uri)} run on ${await queries.nameOf(target)}.`);
    return new QueryTestRun(queries, target, { signal, mayAsk, now: () => Date.now() });
  }

  #bug(error: unknown): TestEnd {
    this.#deps.logger.error('A test of a query could not be judged', { stack: asError(error).stack });
    return { state: 'notRun', message: `Something went wrong: ${asError(error).message}` };
  }

  /**
   * Runs tests again after their query or model has changed, until the user stops it. Never asks for a token, because questions
   * would interrupt typing.
   */
  #keepRunning(request: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    const again = (files?: readonly string[]): void => {
      const tests = this.#items.testsOf(request.include, request.exclude).map(({ item }) => item);
      const include = files ? tests.filter(({ uri }) => files.includes(uri?.toString() ?? '')) : tests;
      if (include.length === 0) return;
      const next = new vscode.TestRunRequest(include, undefined, request.profile, true, true);
      void this.#run(next, token, false);
    };
    const listening = new DisposableStore();
    listening.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isQueryPath(uri.path)) again([uri.toString()]);
        else void this.#onServer(uri).then((isServed) => isServed && again());
      }),
    );
    listening.add(
      this.#deps.builds.onDidFinish(({ isNews, state }) => {
        if (isNews && state.phase === 'built') again();
      }),
    );
    this.#store.add(listening);
    token.onCancellationRequested(() => this.#store.delete(listening));
  }

  /**
   * Resolves to whether a model file was saved in a folder whose queries run on a Cube Core server, which has the new model
   * immediately.
   */
  async #onServer(uri: vscode.Uri): Promise<boolean> {
    if (!/\.(?:ya?ml|jinja|js|ts|py)$/.test(uri.path)) return false;
    const { choices } = await this.#deps.queries();
    const target: QueryTarget | undefined = await choices.whereFor(folderOf(uri), this.#deps.branchOf(uri));
    return target?.kind === 'cubeCore';
  }
}

function report(run: vscode.TestRun, item: vscode.TestItem, end: TestEnd, milliseconds: number): void {
  switch (end.state) {
    case 'passed':
      run.passed(item, milliseconds);
      break;
    case 'cancelled':
      run.skipped(item);
      break;
    case 'failed':
      run.failed(item, messageOf(item, end), milliseconds);
      break;
    default:
      run.errored(item, messageOf(item, end), milliseconds);
  }
}

function messageOf(
  { uri, range }: vscode.TestItem,
  end: { readonly message: string; readonly expected?: string | undefined; readonly actual?: string | undefined },
): vscode.TestMessage {
  const message = new vscode.TestMessage(textOf(end.message));
  if (end.expected !== undefined) message.expectedOutput = end.expected;
  if (end.actual !== undefined) message.actualOutput = end.actual;
  if (uri && range) message.location = new vscode.Location(uri, range);
  return message;
}
