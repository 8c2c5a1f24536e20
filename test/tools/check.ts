// npm run check: everything that needs no VS Code.
import { ownTemporaryFiles } from './memory-folder.ts';
import { runSteps } from './run-steps.ts';
import { gateSteps, unitStep } from './steps.ts';

ownTemporaryFiles();
const { passed, failed } = await runSteps([gateSteps, unitStep], console.log, {
  all: process.argv.includes('--all'),
});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
