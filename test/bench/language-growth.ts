import { checkChunk, textProblems } from '#model/checks/check.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { symbolsOf } from '#model/symbols.ts';
import { hostileTexts } from '#support/language/hostile-texts.ts';
import type { Bench, Figure } from './figures.ts';

/** Times four in size may take times six: a quadratic reader takes sixteen. */
const MOST_TIMES = 6;
/** Below, growth is that of the clock, in milliseconds. */
const LEAST_MS = 40;

/** What reading and checking unusual texts costs at once, four times and sixteen times the size. */
export const run: Bench = ({ quick }) => {
  const sizes = quick ? [2_000, 8_000] : [4_000, 16_000, 64_000];
  return Promise.resolve(Object.entries(hostileTexts).map(([path, make]) => growthOf(path, make, sizes)));
};

function growthOf(path: string, make: (size: number) => string, sizes: readonly number[]): Figure {
  read(path, make(sizes[0] ?? 0));
  const times = sizes.map((size) => Math.min(...[1, 2].map(() => read(path, make(size)))));
  const [before = 0, value = 0] = times.slice(-2);
  const ratio = value / Math.max(before, LEAST_MS / MOST_TIMES);
  return {
    id: `${path}: ${times.map((ms) => ms.toFixed(0)).join(' / ')} ms at ${sizes.join(' / ')} characters`,
    value,
    unit: 'ms',
    peer: 'a quarter of the size',
    peerValue: before,
    ratio,
    reach: MOST_TIMES,
    ok: ratio <= MOST_TIMES,
  };
}

function read(path: string, text: string): number {
  const before = process.cpuUsage();
  const file = parseFile(path, text);
  const index = new ModelIndex();
  for (const { chunk } of file.chunks) symbolsOf(chunk);
  index.set(file);
  textProblems(file);
  for (const { chunk } of file.chunks) checkChunk(chunk, index, false);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
