import { parseArgs } from 'node:util';
import { matrixEngine } from '../support/language/matrix/engine.ts';
import { runMatrix } from '../support/language/matrix/run-matrix.ts';
import type { Mutant } from '../support/language/matrix/mutants.ts';

/**
 * Compares our checks with the engine over everything that its schema suggests (docs/testing.md). `--share 20` judges every
 * twentieth mutant, `--rest` selects which, `--only respelled` judges one kind. Exit code 1 if anything differs.
 */
const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    rest: { type: 'string', default: '0' },
    only: { type: 'string' },
  },
});
const only = values.only as Mutant['kind'] | undefined;
const { counts, differences } = await runMatrix(await matrixEngine(), Number(values.share), Number(values.rest), only);
console.table(counts);
for (const { name, engine, ours } of differences)
  console.log(`${name}\n  engine: ${engine.join(' | ') || 'accepts it'}\n  ours:   ${ours.join(' | ') || 'no error'}`);
process.exitCode = differences.length === 0 ? 0 : 1;
