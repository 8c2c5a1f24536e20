import * as raw from 'vscode';
import type { UserText } from '#base/user-text.ts';

/** VS Code draws icons in the texts of the Test Explorer. */
export interface TestItem extends Omit<raw.TestItem, 'label' | 'description' | 'error' | 'children' | 'parent'> {
  readonly parent: TestItem | undefined;
  readonly children: TestItems;
  label: UserText;
  description?: UserText;
  error: UserText | undefined;
}

interface TestItems extends Omit<raw.TestItemCollection, 'replace' | 'forEach' | 'add' | 'get'> {
  replace(items: readonly TestItem[]): void;
  forEach(callback: (item: TestItem) => unknown): void;
  add(item: TestItem): void;
  get(id: string): TestItem | undefined;
}

export interface TestRunRequest extends Omit<raw.TestRunRequest, 'include' | 'exclude'> {
  readonly include: readonly TestItem[] | undefined;
  readonly exclude: readonly TestItem[] | undefined;
}

export const TestRunRequest = raw.TestRunRequest as unknown as new (
  include?: readonly TestItem[],
  exclude?: readonly TestItem[],
  profile?: raw.TestRunProfile,
  continuous?: boolean,
  preserveFocus?: boolean,
) => TestRunRequest;

/** A test run; durations are in milliseconds. */
export interface TestRun {
  enqueued(test: TestItem): void;
  started(test: TestItem): void;
  skipped(test: TestItem): void;
  passed(test: TestItem, duration?: number): void;
  failed(test: TestItem, message: raw.TestMessage, duration?: number): void;
  errored(test: TestItem, message: raw.TestMessage, duration?: number): void;
  end(): void;
}

/** Writes a line to the output of a run. The output is a terminal, which would interpret control characters. */
export function appendLine(run: TestRun, line: UserText): void {
  (run as unknown as raw.TestRun).appendOutput(`${line}\r\n`);
}

export interface TestController extends Omit<
  raw.TestController,
  'items' | 'createTestItem' | 'createRunProfile' | 'createTestRun'
> {
  readonly items: TestItems;
  createTestItem(id: string, label: UserText, uri?: raw.Uri): TestItem;
  createTestRun(request: TestRunRequest): TestRun;
  createRunProfile(
    label: UserText,
    kind: raw.TestRunProfileKind,
    run: (request: TestRunRequest, token: raw.CancellationToken) => Thenable<void> | void,
    isDefault?: boolean,
  ): raw.TestRunProfile;
}

export const tests = raw.tests as unknown as {
  createTestController(id: string, label: UserText): TestController;
};

/** The failure of a test; VS Code shows the compared texts verbatim in a diff editor. */
export const TestMessage = raw.TestMessage as unknown as new (message: UserText) => raw.TestMessage;
export type TestMessage = raw.TestMessage;
