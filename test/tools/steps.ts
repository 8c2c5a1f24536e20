import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Output } from '../../esbuild.mjs';
import { root, run, type RunOptions } from './run.ts';
import { failedTests, type FileTime, fileTimes, type ReportedFile } from './slowest-files.ts';

/** What one step of the checks found. */
export interface StepResult {
  readonly ok: boolean;
  /** What to show when it failed. */
  readonly output: string;
  /** Tests that it ran, for steps that run tests. */
  readonly passed?: number;
  readonly failed?: number;
  /** A line for each test that failed, for steps that know. */
  readonly failures?: readonly string[];
  /** What each test file took, for steps that know. */
  readonly files?: readonly FileTime[];
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

/** Minified size that the extension's bundle may reach, in bytes: it is read at every start of VS Code. Promised: 300 KB. */
const extensionLimit = 275 * 1024;

/**
 * By default TypeScript checks each project four times in parts beside each other, and each part works out the types that it shares
 * with the others: a third more of the processors, which all gates share.
 */
export const oneChecker = ['--checkers', '1'] as const;

/** The command of a gate; also run on planted faults, to prove that it can fail. */
export const gates = {
  format: ['oxfmt', '--check', '.'],
  lint: ['oxlint', '.', '--report-unused-disable-directives-severity=error'],
  types: ['tsc', '-b', '--pretty', ...oneChecker],
  'dead code': ['knip', '--no-progress', '--no-config-hints'],
  'code that only tests use': [
    ...['knip', '--no-progress', '--no-config-hints'],
    ...['--config', 'knip.product.json', '--include', 'files,exports'],
  ],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type GateName = keyof typeof gates;

/** Runs a gate on a folder. */
export async function gate(name: GateName, cwd = root): Promise<StepResult> {
  const [command, ...args] = gates[name];
  const { code, output } = await run(command, args, { cwd });
  return { ok: code === 0, output };
}

/** What is looked at without running anything, and the build; none needs another, so they run beside each other. */
export const gateSteps: readonly Step[] = [
  ...(Object.keys(gates) as GateName[]).map((name) => ({ name, run: async () => gate(name) })),
  { name: 'build', run: async () => checkSizes(await build({ production: true, meta: true })) },
];

/** The unit tests, behind everything else that runs. */
export const backgroundUnitStep: Step = {
  name: 'unit tests',
  run: async () => vitest([], { isInBackground: true }),
};

/** Whether the extension's bundle is there and within its limit. */
export function checkSizes(outputs: readonly Output[], limit = extensionLimit): StepResult {
  const extension = outputs.find(({ path }) => path === 'dist/extension.js');
  if (!extension) return { ok: false, output: 'The build made no dist/extension.js' };
  const output = `dist/extension.js has ${extension.bytes} bytes, ${limit} are allowed`;
  return { ok: extension.bytes <= limit, output };
}

/** Runs vitest and counts its tests; files that do not load and unhandled errors count as failures too. */
export async function vitest(args: readonly string[], options: Omit<RunOptions, 'cwd'> = {}): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'modelbench-vitest-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const { code, output } = await run('vitest', ['run', ...args, ...reporters], {
      ...options,
      env: { FORCE_COLOR: undefined, ...options.env },
    });
    return countTests(code, output, readReport(report));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What is read of vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly ReportedFile[];
}

/** The result of a vitest run from its exit code and report; no test at all and a skipped test are failures. */
export function countTests(code: number, output: string, report: VitestReport | undefined): StepResult {
  if (!report) return { ok: false, output: `${output}\nvitest wrote no report`, passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests, numPendingTests } = report;
  const ok = code === 0 && passed > 0 && numFailedTests + numPendingTests === 0;
  const failed = numFailedTests + numPendingTests;
  const failures = ok ? [] : failedTests(report.testResults, root);
  return {
    ok,
    output,
    passed,
    failed: ok ? 0 : Math.max(failed, 1),
    failures,
    files: fileTimes(report.testResults, root),
  };
}

function readReport(path: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  } catch {
    return undefined;
  }
}
