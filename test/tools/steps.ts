import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Output } from '../../esbuild.mjs';
import { root, run, type RunOptions } from './run.ts';
import { failedTests, type FileTime, fileTimes, leftOutTests, type ReportedFile } from './slowest-files.ts';

/** The result of one step of the checks. */
export interface StepResult {
  readonly ok: boolean;
  /** The text to show if it failed. */
  readonly output: string;
  /** The number of tests that passed, for steps that run tests. */
  readonly passed?: number;
  readonly failed?: number;
  /** One line per failed test, for steps that run tests. */
  readonly failures?: readonly string[];
  /** The tests that this machine cannot run, for steps that run tests. */
  readonly leftOut?: readonly string[];
  /** The duration of each test file, for steps that run tests. */
  readonly files?: readonly FileTime[];
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

/**
 * Minified sizes that bundles may reach, in bytes: the extension's is read at every start of VS Code (promised: 300 KB), and the chat's
 * at each opening of its view.
 */
const sizeLimits: Readonly<Record<string, number>> = {
  'dist/extension.js': 275 * 1024,
  'dist/webview/chat.js': 200 * 1024,
};

/**
 * By default TypeScript checks each project in four parallel parts, and each of them resolves the shared types again: this costs
 * a third more CPU time, which all gates share.
 */
export const oneChecker = ['--checkers', '1'] as const;

/** The command of each gate; a test also runs it on planted faults, to prove that it can fail. */
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

/** The static checks and the build; they are independent, so they run in parallel. */
export const gateSteps: readonly Step[] = [
  ...(Object.keys(gates) as GateName[]).map((name) => ({ name, run: async () => gate(name) })),
  { name: 'build', run: async () => checkSizes(await build({ production: true, meta: true })) },
];

/** The unit tests, at a lower priority than everything else. */
export const backgroundUnitStep: Step = {
  name: 'unit tests',
  run: async () => vitest([], { isInBackground: true }),
};

/** Checks that the bundles with a limit exist and are within it. */
export function checkSizes(outputs: readonly Output[], limits = sizeLimits): StepResult {
  const results = Object.entries(limits).map(([path, limit]) => {
    const bytes = outputs.find((output) => output.path === path)?.bytes ?? Infinity;
    return { ok: bytes <= limit, output: `${path} has ${bytes} bytes, ${limit} are allowed` };
  });
  return { ok: results.every(({ ok }) => ok), output: results.map(({ output }) => output).join('\n') };
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

/** The fields of vitest's JSON report that are read. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly ReportedFile[];
}

/**
 * Returns the result of a vitest run from its exit code and report. Running no test and skipping a test are failures, except for
 * tests that need what this machine does not have.
 */
export function countTests(code: number, output: string, report: VitestReport | undefined): StepResult {
  if (!report) return { ok: false, output: `${output}\nvitest wrote no report`, passed: 0, failed: 1 };
  const { numPassedTests: passed, numFailedTests, numPendingTests } = report;
  const leftOut = leftOutTests(report.testResults, root);
  const failed = numFailedTests + numPendingTests - leftOut.length;
  const ok = code === 0 && passed > 0 && failed === 0;
  const failures = ok ? [] : failedTests(report.testResults, root);
  return {
    ok,
    output,
    passed,
    failed: ok ? 0 : Math.max(failed, 1),
    failures,
    leftOut,
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
