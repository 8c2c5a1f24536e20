import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';
import { checkSizes, countTests, gate, type GateName } from '../../tools/steps.ts';

/** A small tree under the repository's own configuration. */
const clean: Readonly<Record<string, string>> = {
  'package.json':
    '{\n  "name": "planted",\n  "private": true,\n  "type": "module",\n  "imports": {\n    "#compose/*": "./src/compose/*"\n  }\n}\n',
  'tsconfig.json': `{ "extends": "${root}/src/tsconfig.base.json", "include": ["src"] }\n`,
  'src/extension.ts': "import { one } from '#compose/one.ts';\n\nexport const two = one + 1;\n",
  'src/compose/one.ts': 'export const one = 1;\n',
};

/** For each gate a fault that it has to find. */
const faults: Readonly<Record<GateName, Readonly<Record<string, string>>>> = {
  format: { 'src/compose/one.ts': 'export const one  =  1\n' },
  lint: { 'src/compose/one.ts': "import 'ky';\n\nexport const one = 1;\n" },
  types: { 'src/compose/one.ts': "export const one: number = 'one';\n" },
  'dead code': { 'src/compose/unused.ts': 'export const unused = 1;\n' },
  'code that only tests use': {
    'src/compose/one.ts': 'export const one = 1;\nexport const unused = 2;\n',
    'test/unit/one.test.ts': "import { unused } from '#compose/one.ts';\n\nexport const two = unused;\n",
  },
};

/** A date that nothing which is written now has. */
const later = new Date(Date.now() + 3_600_000);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelbench-gates-'));
  for (const name of ['.oxfmtrc.json', '.oxlintrc.json', 'knip.json', 'knip.product.json'])
    cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  plant(clean);
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

describe.each(Object.keys(faults) as GateName[])('the gate %s', (name) => {
  it('passes a clean tree and fails on a planted fault', async () => {
    const before = await gate(name, folder);
    expect(before.ok ? '' : before.output).toBe('');
    plant(faults[name]);
    // The compiler goes by dates: a clock that was set back meanwhile would make the fault older than its last answer.
    for (const path of Object.keys(faults[name])) utimesSync(join(folder, path), later, later);
    const { ok, output } = await gate(name, folder);
    expect(ok).toBe(false);
    expect(output).toMatch(/one\.ts|unused\.ts/);
  });
});

describe('the gate lint', () => {
  it('finds a suppression that suppresses nothing', async () => {
    plant({
      'src/compose/one.ts': '// oxlint-disable-next-line no-console -- nothing is printed\nexport const one = 1;\n',
    });
    const { ok, output } = await gate('lint', folder);
    expect(ok).toBe(false);
    expect(output).toMatch(/Unused oxlint-disable directive/);
  });
});

describe('the bundle gate', () => {
  const outputs = [
    { path: 'dist/extension.js', bytes: 275 * 1024 },
    { path: 'dist/webview/chat.js', bytes: 200 * 1024 },
  ];

  it('passes at the limits', () => {
    expect(checkSizes(outputs).ok).toBe(true);
  });

  it.each(outputs)('fails without $path, and one byte over its limit', ({ path, bytes }) => {
    const others = outputs.filter((output) => output.path !== path);
    expect(checkSizes(others).ok).toBe(false);
    expect(checkSizes([...others, { path, bytes: bytes + 1 }]).ok).toBe(false);
  });
});

describe('the count of tests', () => {
  const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, testResults: [] };

  it('passes only when tests ran and all passed', () => {
    expect(countTests(0, '', report)).toMatchObject({ ok: true, passed: 3, failed: 0 });
    expect(countTests(1, '', { ...report, numFailedTests: 2 })).toMatchObject({ ok: false, passed: 3, failed: 2 });
  });

  it('passes without the tests that this machine cannot run, and names them', () => {
    const test = { fullName: 'a full disk', status: 'skipped' };
    const file = { name: join(root, 'test/a.test.ts'), startTime: 0, endTime: 1 };
    const counted = (tests: readonly object[]): unknown =>
      countTests(0, '', {
        ...{ ...report, numPendingTests: tests.length },
        testResults: [{ ...file, assertionResults: tests.map((each) => ({ ...test, ...each })) }],
      });
    const machine = { tags: ['machine'] };
    expect(counted([machine])).toMatchObject({ ok: true, failed: 0, leftOut: ['test/a.test.ts: a full disk'] });
    expect(counted([machine, {}])).toMatchObject({
      ok: false,
      failed: 1,
      failures: ['test/a.test.ts: a full disk: skipped'],
    });
  });

  it('takes no test, a skipped test, a file that does not load and a missing report for failures', () => {
    expect(countTests(0, '', { ...report, numPassedTests: 0 })).toMatchObject({ ok: false, failed: 1 });
    expect(countTests(0, '', { ...report, numPendingTests: 1 })).toMatchObject({ ok: false, failed: 1 });
    expect(countTests(1, '', report)).toMatchObject({ ok: false, failed: 1 });
    expect(countTests(0, '', undefined)).toMatchObject({ ok: false, failed: 1 });
  });
});

function plant(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
