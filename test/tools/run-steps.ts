import { type FileTime, slowestFiles } from './slowest-files.ts';
import type { Step, StepResult } from './steps.ts';

/** A step, or steps that run one after the other. */
type InOrder = Step | readonly Step[];

export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs steps in order; those of an inner list run in parallel, and those of a list inside that one in order again. Prints name,
 * time and result of each as it ends, and all output of a failing one, and stops there unless `all`. At the end it prints the
 * slowest test files, so that they do not grow unnoticed, the tests that this machine cannot run, and repeats the failures, because
 * a long output may be cut to its end.
 * The sums count tests; a failed step without tests counts as one failure.
 */
export async function runSteps(
  steps: readonly (Step | readonly InOrder[])[],
  print: (line: string) => void,
  options: { readonly all?: boolean } = {},
): Promise<Totals> {
  let passed = 0;
  let failed = 0;
  const files: FileTime[] = [];
  const failures: string[] = [];
  const leftOut: string[] = [];
  for (const next of steps) {
    const results = (await Promise.all([next].flat().map(async (each) => runInOrder(each, print, options)))).flat();
    for (const result of results) {
      passed += result.passed ?? 0;
      failed += result.ok ? 0 : (result.failed ?? 1);
      files.push(...(result.files ?? []));
      failures.push(...(result.failures ?? []));
      leftOut.push(...(result.leftOut ?? []));
    }
    if (!options.all && results.some(({ ok }) => !ok)) break;
  }
  const ending = [
    ...slowestFiles(files),
    ...leftOut.map((test) => `Not possible on this machine: ${test}`),
    ...failures.map((failure) => `Failed: ${failure}`),
  ];
  for (const line of ending) print(line);
  return { passed, failed };
}

async function runInOrder(
  steps: InOrder,
  print: (line: string) => void,
  { all }: { readonly all?: boolean },
): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const step of [steps].flat()) {
    const result = await runStep(step, print);
    results.push(result);
    if (!all && !result.ok) break;
  }
  return results;
}

async function runStep(step: Step, print: (line: string) => void): Promise<StepResult> {
  const started = performance.now();
  const result = await outcome(step);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const tests = result.passed === undefined ? '' : `, ${result.passed} tests passed`;
  print(`${result.ok ? '✔' : '✘'} ${step.name} (${seconds} s${tests})`);
  if (!result.ok) print(result.output.trimEnd());
  return result;
}

async function outcome(step: Step): Promise<StepResult> {
  try {
    return await step.run();
  } catch (error) {
    return { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
