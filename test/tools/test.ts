// npm test: all checks. `-- --all` continues after a failing step.
import { ownTemporaryFiles } from './memory-folder.ts';
import { runSteps } from './run-steps.ts';
import { backgroundUnitStep, gateSteps, type Step, type StepResult, vitest } from './steps.ts';
import { packageStep, vsixPath } from './vsix.ts';
import { packaged } from '../e2e/install-extension.ts';
import { runSuites } from './suites.ts';
import { startVSCode } from './vscode-host.ts';

const inVSCode: readonly Step[] = [
  { name: 'suites in VS Code', run: suites },
  // After the suites: one of them runs `npm start`, which writes the bundles that the suites load.
  { name: 'journeys in the browser', run: journeys },
];

// Windows wait more than they work. Unit tests run in the background, so that clicks come first.
const steps = [gateSteps, packageStep, [backgroundUnitStep, inVSCode]];

ownTemporaryFiles();
const { passed, failed } = await runSteps(steps, console.log, { all: process.argv.includes('--all') });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function suites(): Promise<StepResult> {
  const host = await startVSCode();
  try {
    const { passed, failed, lines } = await runSuites(host, () => {});
    const failures = lines.filter((line) => line.startsWith('not ok '));
    return { ok: failed === 0, output: lines.join('\n'), passed, failed, failures };
  } finally {
    await host.stop();
  }
}

async function journeys(): Promise<StepResult> {
  return vitest(['--config', 'test/e2e/vitest.config.ts'], { env: { [packaged]: vsixPath() } });
}
