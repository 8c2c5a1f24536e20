// npm run test:properties -- --rounds 10 --from 500: all properties with other seeds than those of `npm test` (docs/testing.md).
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { propertySeed } from '../support/property-seed.ts';
import { ownTemporaryFiles } from './memory-folder.ts';
import { root } from './run.ts';
import { vitest } from './steps.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1' }, from: { type: 'string', default: String(Date.now()) } },
});
const files = globSync('test/unit/**/*.test.{ts,tsx}', { cwd: root }).filter((path) =>
  readFileSync(path, 'utf8').includes("from 'fast-check'"),
);

ownTemporaryFiles();
for (let round = 0; round < Number(values.rounds); round++) {
  const seed = (Number(values.from) + round) % 2 ** 31;
  const { ok, output, passed = 0, failed = 0 } = await vitest(files, { env: { [propertySeed]: String(seed) } });
  if (!ok) console.log(output);
  console.log(`Seed ${seed}: ${passed} passed, ${failed} failed`);
  if (!ok) process.exitCode = 1;
}
