import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, type BuildOptions } from 'esbuild';
import type { Page } from 'playwright-core';
import { unlessGivenUp } from './given-up.ts';
import { longestWait } from './limits.ts';
import { mustRun, root } from './run.ts';
import { startVSCode, type VSCodeHost } from './vscode-host.ts';

export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  /** Every line that the suites printed. */
  readonly lines: readonly string[];
}

/** Name of the workspace file in which the suites run. */
export const suitesWorkspace = 'suites.code-workspace';
/** The folder of the workspace that a debugger opens, in the repository. */
export const debuggedWorkspace = '.cache/suites/workspace';

/**
 * Longest time without a result, in milliseconds: a test that hangs fails before that. The whole run has no limit, because a slow
 * machine takes longer for all of it.
 */
const longestSilence = 2 * longestWait;

/** Bundles the suites of `test/vscode` whose names begin with one of `names` (by default all) into one CommonJS module with `run()`. */
export async function bundleSuites(names: readonly string[] = ['']): Promise<string> {
  const suites = readdirSync(join(root, 'test/vscode'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.suite.ts') && names.some((name) => path.startsWith(name)))
    .sort();
  const outfile = join(root, '.cache/suites/suite.cjs');
  await packageNeighbour();
  await build({
    ...forTheHost,
    stdin: {
      contents: [
        ...suites.map((path) => `import ${JSON.stringify(`./${path.replaceAll('\\', '/')}`)};`),
        `export { run } from './run.ts';`,
      ].join('\n'),
      resolveDir: join(root, 'test/vscode'),
      loader: 'ts',
    },
    outfile,
  });
  return outfile;
}

const forTheHost: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  mainFields: ['module', 'main'],
  external: ['vscode'],
  sourcemap: 'inline',
  logLevel: 'warning',
};

/** Packages the stand-in for another YAML extension beside the suites, which install it. */
async function packageNeighbour(): Promise<void> {
  const folder = join(root, '.cache/suites/yaml-neighbour');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'test/vscode/yaml-neighbour/package.json'), join(folder, 'package.json'));
  const entry = join(root, 'test/vscode/yaml-neighbour/extension.ts');
  await build({ ...forTheHost, entryPoints: [entry], outfile: join(folder, 'extension.cjs') });
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await mustRun('vsce', ['package', ...flags, '--out', `${folder}.vsix`], { cwd: folder });
}

/** Runs the suites inside VS Code's extension host; `print` gets each line as it arrives. */
export async function runSuites(
  host: VSCodeHost,
  print: (line: string) => void,
  names?: readonly string[],
): Promise<SuiteResult> {
  const suite = await bundleSuites(names);
  const folder = suitesFolder();
  const lines: string[] = [];
  const others: string[] = [];
  const collect = (text: string): boolean => {
    const all = text.split('\n');
    const found = all.filter(isResult);
    lines.push(...found);
    others.push(...all.filter((line) => !isResult(line)));
    for (const line of found) print(line);
    return found.length > 0;
  };
  try {
    await exitOf(host, { folder: join(folder, suitesWorkspace), suite, collect });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  const result = tally(lines, others);
  for (const line of result.lines.slice(lines.length)) print(line);
  return result;
}

const isResult = (line: string): boolean => /^(ok|not ok|#|1\.\.)/.test(line);

/**
 * Counts TAP lines; a run fails without its plan, or if the number of tests differs from the plan. The rest of the output,
 * `others`, then shows why: a module that could not be loaded, for example.
 */
export function tally(lines: readonly string[], others: readonly string[] = []): SuiteResult {
  const passed = lines.filter((line) => line.startsWith('ok ')).length;
  const failed = lines.filter((line) => line.startsWith('not ok ')).length;
  const plan = lines.map((line) => /^1\.\.(\d+)$/.exec(line)?.[1]).find((count) => count !== undefined);
  if (plan !== undefined && Number(plan) === passed + failed && passed + failed > 0) return { passed, failed, lines };
  const said =
    plan === undefined ? 'the suites did not run to their end' : `${plan} tests planned, ${passed + failed} ran`;
  const printed = others.slice(-20).map((line) => `# ${line}`);
  return { passed, failed: failed + 1, lines: [...lines, `# ${said}`, ...printed] };
}

interface SuiteRun {
  readonly folder: string;
  readonly suite: string;
  /** Collects output; returns whether it contained a result. */
  readonly collect: (text: string) => boolean;
}

async function exitOf(host: VSCodeHost, { folder, suite, collect }: SuiteRun): Promise<number> {
  const context = await host.newContext();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const exit = new Promise<number>((done, failed) => {
      const stop = (): void => failed(new Error(`the suites reported nothing for ${longestSilence / 1000} s`));
      const waitOn = (): void => {
        clearTimeout(timer);
        timer = setTimeout(stop, longestSilence);
      };
      waitOn();
      const prepare = async (page: Page): Promise<void> => {
        await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
          if (collect(args.filter((part) => typeof part === 'string').join(' '))) waitOn();
        });
        await page.exposeFunction('codeAutomationExit', (code: number) => done(code));
      };
      host.open({ folder, suite, context, prepare }).catch(failed);
    });
    return await unlessGivenUp(async () => exit);
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

/**
 * Creates two folders without a model, and a workspace of both; by default in a new temporary folder. A model would activate the
 * extension before the suites, which test how it starts and which views it then creates.
 */
export function suitesFolder(folder = mkdtempSync(join(tmpdir(), 'modelbench-suites-'))): string {
  const names = ['first', 'second'];
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'README.md'), 'A folder of the suites.\n');
  }
  const workspace = { folders: names.map((path) => ({ path })) };
  writeFileSync(join(folder, suitesWorkspace), JSON.stringify(workspace));
  return folder;
}

if (import.meta.main && process.argv.includes('--bundle')) {
  // For a debugger: the launch configuration of the suites opens the workspace at this fixed path.
  await bundleSuites();
  suitesFolder(join(root, debuggedWorkspace));
} else if (import.meta.main) {
  const { values, positionals: names } = parseArgs({ allowPositionals: true, options: { mode: { type: 'string' } } });
  const host = await startVSCode({ env: { MODELBENCH_SUITES_MODE: values.mode } });
  try {
    const { passed, failed } = await runSuites(host, console.log, names.length > 0 ? names : undefined);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await host.stop();
  }
}
