import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** Where vitest and the runner of the suites find tests. */
const isTestFile = (path: string): boolean => /\.test\.tsx?$|\.suite\.ts$/.test(path);

/** Waits and judges shared by several tests, which fail where the state that they wait for does not come. */
const helpers: readonly string[] = [
  'test/e2e/device-use.ts',
  'test/e2e/journey.ts',
  'test/e2e/step-page.ts',
  'test/e2e/until.ts',
  'test/e2e/webview/widths.ts',
  'test/vscode/console-stage.ts',
  'test/vscode/desk.ts',
  'test/vscode/editors.ts',
  'test/vscode/proposals-desk.ts',
  'test/vscode/review-pages.ts',
  'test/vscode/run.ts',
  'test/vscode/user.ts',
];

/** Journeys that share a window with others: a test file plays them, and each is a file of its own. */
const journeys: readonly string[] = [
  'administration-objects',
  'administration-view',
  'api-explorer-view',
  'by-keyboard',
  'by-mouse',
  'chat-proposal',
  'chat-windows',
  'dashboards-view',
  'merge-conflicts',
  'workspace-view',
].map((name) => `test/e2e/${name}.ts`);

/** Makes tests for the test file that it is called in. */
const makers: readonly string[] = ['test/e2e/journey.ts'];

/** Whether a file has one of these names from a library of tests. */
const hasFrom = (text: string, names: string): boolean =>
  new RegExp(
    `^import (?:\\{[^}]*\\b(?:${names})\\b[^}]*\\}|assert) from '(?:vitest|node:test|node:assert/strict|[./]*/runner\\.ts)'`,
    'm',
  ).test(text);

const defines = (text: string): boolean => hasFrom(text.replaceAll('import assert from', ''), 'it|test|describe|suite');

const asserts = (text: string): boolean => hasFrom(text, 'expect|assert');

/** What is wrong with a file that is neither a test file nor a declared helper. */
function stray(path: string, text: string): readonly string[] {
  if (isTestFile(path)) return [];
  const isHelper = path.startsWith('test/support/') || [...helpers, ...journeys].includes(path);
  return [
    ...(defines(text) && !makers.includes(path) ? [`${path} defines tests`] : []),
    ...(asserts(text) && !isHelper ? [`${path} asserts`] : []),
  ];
}

describe('tests', () => {
  const paths = globSync('test/**/*.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const files = paths.filter(
    (path) => !path.startsWith('test/fixtures/') && path !== 'test/unit/tools/test-files.test.ts',
  );

  it('are in files whose names say so', () => {
    expect(files.length).toBeGreaterThan(900);
    expect(files.flatMap((path) => stray(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  it('have helpers that are all there, and assert', () => {
    const idle = [...helpers, ...journeys].filter((path) => !asserts(readFileSync(join(root, path), 'utf8')));
    expect(idle).toEqual([]);
  });

  it.each([
    ['a test in a helper', 'test/vscode/more.ts', "import { it } from './runner.ts';", 'defines tests'],
    ['a table of tests', 'test/e2e/more.ts', "import {\n  beforeAll,\n  describe,\n} from 'vitest';", 'defines tests'],
    ['a test in test/support', 'test/support/more.ts', "import { test } from 'node:test';", 'defines tests'],
    ['an assertion of vitest', 'test/e2e/more.ts', "import { expect } from 'vitest';", 'asserts'],
    ['an assertion of Node', 'test/vscode/more.ts', "import assert from 'node:assert/strict';", 'asserts'],
  ])('would be found elsewhere: %s', (_, path, text, said) => {
    expect(stray(path, text)).toEqual([`${path} ${said}`]);
    expect(stray(path.replace(/\.ts$/, '.test.ts'), text)).toEqual([]);
  });

  it.each([
    "import { inject } from 'vitest';",
    "import type { TestProject } from 'vitest/node';",
    "// import { it } from 'vitest';",
  ])('are not meant by: %s', (text) => {
    expect(stray('test/tools/more.ts', text)).toEqual([]);
  });
});
