import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleSuites, debuggedWorkspace, suitesFolder, suitesWorkspace, tally } from '../../tools/suites.ts';
import { type Fixture, runTests } from '../../vscode/runner.ts';

async function lines(bodies: readonly (() => void | Promise<void>)[], limit = 1000): Promise<readonly string[]> {
  const printed: string[] = [];
  await runTests(
    (line) => printed.push(line),
    bodies.map((body, index) => ({ name: `test ${index}`, body })),
    limit,
  );
  return printed;
}

describe('the runner inside VS Code', () => {
  it('prints a line per test and the plan, also when one throws or never ends', async () => {
    const fails = (): void => {
      throw new Error('broken');
    };
    const printed = await lines([() => {}, fails, async () => new Promise<void>(() => {})], 20);
    expect(printed.filter((line) => line.startsWith('ok 1 - test 0'))).toHaveLength(1);
    expect(printed.some((line) => line.startsWith('not ok 2 - test 1'))).toBe(true);
    expect(printed.some((line) => line.startsWith('# Error: broken'))).toBe(true);
    expect(printed.some((line) => line.includes('no result after 20 ms'))).toBe(true);
    expect(printed.at(-1)).toBe('1..3');
    expect(tally(printed)).toMatchObject({ passed: 1, failed: 2 });
  });

  it('opens what tests use, and closes it before a test that does not use it', async () => {
    const events: string[] = [];
    const fixture = (name: string): Fixture => ({
      open: async () => void events.push(`open ${name}`),
      close: async () => void events.push(`close ${name}`),
    });
    const [a, b] = [fixture('a'), fixture('b')];
    const test = (name: string, uses?: Fixture) => ({
      name,
      uses,
      body: () => {
        events.push(name);
        if (name === 'two') throw new Error('broken');
      },
    });
    const { passed } = await runTests(() => {}, [test('one', a), test('two', a), test('three'), test('four', b)]);
    expect(passed).toBe(3);
    expect(events).toEqual(['open a', 'one', 'open a', 'two', 'close a', 'three', 'open b', 'four', 'close b']);
  });
});

describe('the tally', () => {
  it('passes a complete run', async () => {
    expect(tally(await lines([() => {}, () => {}]))).toMatchObject({ passed: 2, failed: 0 });
  });

  it('fails a run that was cut off, one that ran nothing, and one with lost lines', () => {
    expect(tally(['ok 1 - a'])).toMatchObject({ passed: 1, failed: 1 });
    expect(tally(['1..0'])).toMatchObject({ passed: 0, failed: 1 });
    expect(tally(['ok 1 - a', '1..2'])).toMatchObject({ passed: 1, failed: 1 });
    expect(tally([])).toMatchObject({ passed: 0, failed: 1 });
  });

  it('says what else was printed by a run that was cut off', () => {
    const { lines } = tally([], ['Cannot find module “x”']);
    expect(lines).toEqual(['# the suites did not run to their end', '# Cannot find module “x”']);
  });
});

describe('the bundle of the suites', () => {
  it('holds the tests of each chosen suite, whose files are imported for nothing else', async () => {
    const bundle = readFileSync(await bundleSuites(['activation', 'yaml-neighbour']), 'utf8').split(
      'sourceMappingURL',
    )[0];
    expect(bundle).toContain('test/vscode/activation.suite.ts');
    expect(bundle).toContain('test/vscode/yaml-neighbour.suite.ts');
  });
});

describe('the workspace of the suites', () => {
  it('is made where there is no folder yet, and again where it was made before', () => {
    const parent = mkdtempSync(join(tmpdir(), 'modelbench-suites-test-'));
    const folder = join(parent, 'new/workspace');
    for (const _ of ['first', 'again']) {
      suitesFolder(folder);
      expect(existsSync(join(folder, suitesWorkspace))).toBe(true);
    }
    rmSync(parent, { recursive: true });
  });

  it('is the one that the launch configuration opens', () => {
    expect(readFileSync('.vscode/launch.json', 'utf8')).toContain(
      `\${workspaceFolder}/${debuggedWorkspace}/${suitesWorkspace}"`,
    );
  });
});
