// npm run check: the checks that do not run the product, in less than a minute.
import { ownTemporaryFiles } from './memory-folder.ts';
import { runSteps } from './run-steps.ts';
import { gateSteps } from './steps.ts';

ownTemporaryFiles();
const { passed, failed } = await runSteps([gateSteps], console.log, {
  all: process.argv.includes('--all'),
});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
