// npm test: every check there is. `-- --all` goes on after a failing step.
import { ownTemporaryFiles } from './memory-folder.ts';
import { runSteps } from './run-steps.ts';
import { gateSteps, type Step, type StepResult, unitStep, vitest } from './steps.ts';
import { packageStep, vsixPath } from './vsix.ts';
import { packaged } from '../e2e/install-extension.ts';
import { runSuites } from './suites.ts';
import { startVSCode } from './vscode-host.ts';

const steps: readonly (Step | readonly Step[])[] = [
  gateSteps,
  packageStep,
  // The suites wait more than they work: they fill what the unit tests leave of two cores.
  [unitStep, { name: 'suites in VS Code', run: suites }],
  // Alone: one of them runs `npm start`, which writes the bundles that the suites load.
  { name: 'journeys in the browser', run: journeys },
];

ownTemporaryFiles();
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

async function journeys(): Promise<StepResult> {
  return vitest(['--config', 'test/e2e/vitest.config.ts'], { [packaged]: vsixPath() });
}
