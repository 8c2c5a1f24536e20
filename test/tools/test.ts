// npm test: every check there is. `-- --all` goes on after a failing step.
import { runSteps } from './run-steps.ts';
import { fastSteps, type Step, type StepResult, vitest } from './steps.ts';
import { packageStep } from './vsix.ts';
import { runSuites } from './suites.ts';
import { startVSCode } from './vscode-host.ts';

const steps: readonly Step[] = [
  ...fastSteps,
  packageStep,
  { name: 'suites in VS Code', run: suites },
  { name: 'journeys in the browser', run: async () => vitest(['--config', 'test/e2e/vitest.config.ts']) },
];

const { passed, failed } = await runSteps(steps, console.log, { all: process.argv.includes('--all') });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function suites(): Promise<StepResult> {
  const host = await startVSCode();
  try {
    const { passed, failed, lines } = await runSuites(host, () => {});
    return { ok: failed === 0, output: lines.join('\n'), passed, failed };
  } finally {
    await host.stop();
  }
}
