import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** Where vitest and the runner of the suites find tests. */
const isTestFile = (path: string): boolean => /\.test\.tsx?$|\.suite\.ts$/.test(path);

/** A journey that shares a window with others: a test file plays it. */
const isJourney = (path: string): boolean => /^test\/e2e\/[^/]+\.journey\.ts$/.test(path);

/** Waits and judges shared by several tests, which fail where the state that they wait for does not come. */
const helpers: readonly string[] = [
  'test/e2e/device-use.ts',
  'test/e2e/step-page.ts',
  'test/e2e/until.ts',
  'test/e2e/webview/widths.ts',
  'test/vscode/signed-in-stage.ts',
  'test/vscode/desk.ts',
  'test/vscode/editors.ts',
  'test/vscode/proposals-desk.ts',
  'test/vscode/review-pages.ts',
  'test/vscode/run.ts',
  'test/vscode/user.ts',
];

/** Make tests for the test file that they are called in, and write the first test of a new command. */
const makers: readonly string[] = ['test/e2e/journey.ts', 'test/tools/skeletons/new-command.ts'];

/** Libraries of tests, and the runner of the suites. */
const LIBRARY = String.raw`'(?:vitest|node:test|node:assert(?:\/strict)?|[./]*\/runner\.ts)'`;

/** Whether a file imports one of these names from a library of tests, or the whole library. */
const hasFrom = (text: string, names: string): boolean =>
  new RegExp(String.raw`^import (?:\w+, )?(?:\{[^}]*\b(?:${names})\b[^}]*\}|\* as \w+) from ${LIBRARY}`, 'm').test(
    text,
  );

/** Whether a file defines tests: it imports what does, or calls it, wherever that comes from. */
const defines = (text: string): boolean =>
  hasFrom(text, 'it|test|describe|suite') ||
  /^\s*(?:it|test|describe|suite)(?:\.\w+(?:\([^)\n]*\))?)*\(\s*(?:['"`]|\w+,)/m.test(text);

const asserts = (text: string): boolean =>
  hasFrom(text, 'expect|assert') || new RegExp(`^import assert from ${LIBRARY}`, 'm').test(text);

/** What is wrong with a file that is neither a test file nor a declared helper. */
function stray(path: string, text: string): readonly string[] {
  if (isTestFile(path)) return [];
  const isHelper = path.startsWith('test/support/') || isJourney(path) || helpers.includes(path);
  return [
    ...(defines(text) && !makers.includes(path) ? [`${path} defines tests`] : []),
    ...(asserts(text) && !isHelper ? [`${path} asserts`] : []),
  ];
}

/** Lines that look again and again without a pause: what is looked at then gets half of the core. */
const restless = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /\bwhile \(.*\bawait\b/.test(line) && !/\bdelay\(/.test(line));

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
    const idle = [...helpers, ...files.filter(isJourney)].filter(
      (path) => !asserts(readFileSync(join(root, path), 'utf8')),
    );
    expect(idle).toEqual([]);
  });

  it('play every journey', () => {
    const played = new Set(
      files
        .filter((path) => path.startsWith('test/e2e/'))
        .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/from '\.\/(\S+\.journey\.ts)'/g)])
        .map(([, name]) => `test/e2e/${name}`),
    );
    expect(files.filter(isJourney).length).toBeGreaterThan(5);
    expect(files.filter((path) => isJourney(path) && !played.has(path))).toEqual([]);
  });

  it('pause between two reads of a window', () => {
    const suites = files.filter((path) => path.startsWith('test/vscode/'));
    expect(suites.length).toBeGreaterThan(40);
    expect(suites.flatMap((path) => restless(readFileSync(join(root, path), 'utf8')))).toEqual([]);
    const planted = '  while (!(await isSo())) await platform.statuses();';
    expect(restless(`\n${planted}\n  while (!(await isSo())) await delay(pause);`)).toEqual([planted]);
  });

  it.each([
    ['a test in a helper', 'test/vscode/more.ts', "import { it } from './runner.ts';", ['defines tests']],
    [
      'a table of tests',
      'test/e2e/more.ts',
      "import {\n  beforeAll,\n  describe,\n} from 'vitest';",
      ['defines tests'],
    ],
    ['a test in test/support', 'test/support/more.ts', "import { test } from 'node:test';", ['defines tests']],
    ['a test of all of vitest', 'test/support/more.ts', "import * as vitest from 'vitest';", ['defines tests']],
    ['a test of another origin', 'test/e2e/more.ts', "  it('commits', async () => {});", ['defines tests']],
    [
      'tests in a journey',
      'test/e2e/more.journey.ts',
      "describe.each(devices)('x', play);\nit(title, play);",
      ['defines tests'],
    ],
    [
      'an assertion in the name of a journey elsewhere',
      'test/tools/more.journey.ts',
      "import { expect } from 'vitest';",
      ['asserts'],
    ],
    ['an assertion of vitest', 'test/e2e/more.ts', "import { expect } from 'vitest';", ['asserts']],
    ['an assertion of Node', 'test/vscode/more.ts', "import assert from 'node:assert/strict';", ['asserts']],
  ])('would be found elsewhere: %s', (_, path, text, said) => {
    expect(stray(path, text)).toEqual(said.map((fault) => `${path} ${fault}`));
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
