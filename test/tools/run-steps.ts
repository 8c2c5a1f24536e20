import type { Step, StepResult } from './steps.ts';

export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs steps in order: prints name, time and result of each, everything that a failing one said, and stops there unless
 * `all`. The sums count tests; a failed step without tests counts as one failure.
 */
export async function runSteps(
  steps: readonly Step[],
  print: (line: string) => void,
  options: { readonly all?: boolean } = {},
): Promise<Totals> {
  let passed = 0;
  let failed = 0;
  for (const step of steps) {
    const started = performance.now();
    const result = await outcome(step);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    passed += result.passed ?? 0;
    failed += result.ok ? 0 : (result.failed ?? 1);
    const tests = result.passed === undefined ? '' : `, ${result.passed} tests passed`;
    print(`${result.ok ? '✔' : '✘'} ${step.name} (${seconds} s${tests})`);
    if (result.ok) continue;
    print(result.output.trimEnd());
    if (!options.all) break;
  }
  return { passed, failed };
}

async function outcome(step: Step): Promise<StepResult> {
  try {
    return await step.run();
  } catch (error) {
    return { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
