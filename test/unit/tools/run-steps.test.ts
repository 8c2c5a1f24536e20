import { describe, expect, it } from 'vitest';
import { runSteps } from '../../tools/run-steps.ts';
import type { Step, StepResult } from '../../tools/steps.ts';

const step = (name: string, result: StepResult): Step => ({ name, run: async () => result });
const good = step('good', { ok: true, output: 'noise', passed: 5, failed: 0 });
const bad = step('bad', { ok: false, output: 'what went wrong', passed: 2, failed: 3 });
const gate = step('gate', { ok: false, output: 'a finding' });
const broken: Step = { name: 'broken', run: async () => Promise.reject(new Error('no browser')) };

async function runAll(steps: Parameters<typeof runSteps>[0], all = false): Promise<readonly [unknown, string]> {
  const lines: string[] = [];
  const totals = await runSteps(steps, (line) => lines.push(line), { all });
  return [totals, lines.join('\n')];
}

describe('running steps', () => {
  it('stops at the first failure and shows what it said', async () => {
    const [totals, output] = await runAll([good, bad, good]);
    expect(totals).toEqual({ passed: 7, failed: 3 });
    expect(output).toContain('✔ good');
    expect(output).toContain('✘ bad');
    expect(output).toContain('what went wrong');
    expect(output).not.toContain('noise');
  });

  it('continues when all are wanted', async () => {
    const [totals] = await runAll([bad, gate, good], true);
    expect(totals).toEqual({ passed: 7, failed: 4 });
  });

  it('runs steps of an inner list beside each other, says what each one did, and stops after them', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    // Comes to its end only when the one behind it runs, too.
    const first: Step = { name: 'first', run: async () => finished.then(() => ({ ok: true, output: '', passed: 1 })) };
    const second: Step = { name: 'second', run: async () => (finish(), { ok: false, output: 'a finding' }) };
    const [totals, output] = await runAll([[first, second], good]);
    expect(totals).toEqual({ passed: 1, failed: 1 });
    expect(output.replaceAll(/ \([^)]*\)/g, '')).toBe('✘ second\na finding\n✔ first');
  });

  it('runs a list beside other steps in order, and stops it at its first failure', async () => {
    const [totals, output] = await runAll([[good, [bad, gate]], good]);
    expect(totals).toEqual({ passed: 7, failed: 3 });
    expect(output).not.toContain('gate');
    const [whole] = await runAll([[good, [bad, gate]]], true);
    expect(whole).toEqual({ passed: 7, failed: 4 });
  });

  it('names the slowest test files of all steps in the end, also after a failure', async () => {
    const units = {
      ...bad,
      run: async () => ({ ok: true, output: '', files: [{ path: 'test/a.test.ts', seconds: 1 }] }),
    };
    const journeys = {
      ...bad,
      run: async () => ({ ok: false, output: '', files: [{ path: 'test/b.test.ts', seconds: 3 }] }),
    };
    const [, output] = await runAll([units, journeys]);
    expect(output.split('\n').slice(-3)).toEqual([
      'Slowest of 2 test files, which took 4.0 s together:',
      '3.0 s  75 % test/b.test.ts',
      '1.0 s  25 % test/a.test.ts',
    ]);
  });

  it('names what failed in each step again in the last lines', async () => {
    const units = {
      ...bad,
      run: async () => ({ ok: false, output: 'long', failures: ['test/a.test.ts: adds: 2 is not 3'] }),
    };
    const journeys = {
      ...bad,
      run: async () => ({ ok: false, output: 'longer', failures: ['test/b.test.ts: clicks: no row'] }),
    };
    const [, output] = await runAll([[units, journeys]]);
    expect(output.split('\n').slice(-2)).toEqual([
      'Failed: test/a.test.ts: adds: 2 is not 3',
      'Failed: test/b.test.ts: clicks: no row',
    ]);
  });

  it('counts a step that throws as a failure', async () => {
    const [totals, output] = await runAll([broken]);
    expect(totals).toEqual({ passed: 0, failed: 1 });
    expect(output).toContain('no browser');
  });
});
