import { engineProcess } from '#language-server/engine/engine-process.ts';
import type { EngineFile } from '#language-server/engine/messages.ts';
import type { Engine } from '#language-server/host.ts';
import { bundledEngine } from '../support/bundled-engine.ts';
import { buildBundles } from '../support/bundles.ts';
import { unguardedEngine } from '../support/unguarded-engine.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { generateOneFile } from './language/model.ts';

/** What the sandbox costs: the check after a save with it, and the same compiler in a plain process of the same run. */
export const run: Bench = async ({ quick }) => {
  const bundled = await bundledEngine(buildBundles);
  try {
    const engines = [engineProcess(bundled.options), engineProcess(await unguardedEngine(bundled))];
    const [sandboxed = NOTHING, plain = NOTHING] = await measured(engines, quick);
    return [
      figure('first check, process started', sandboxed.first, plain.first),
      figure('check after a save', sandboxed.next, plain.next, 1.3),
    ];
  } finally {
    bundled.remove();
  }
};

interface Measured {
  readonly first: number;
  readonly next: number;
}

const NOTHING: Measured = { first: 0, next: 0 };

/** In turns, so that what else the machine does meets both alike; one file of the model changes each time. */
async function measured(engines: readonly Engine[], quick: boolean): Promise<readonly Measured[]> {
  const model: readonly EngineFile[] = [{ fileName: 'all.yml', content: generateOneFile(quick ? 1 : 3) }];
  const values: readonly number[][] = engines.map(() => []);
  for (let turn = 0; turn < (quick ? 6 : 31); turn++) {
    const saved = { fileName: 'saved.yml', content: `cubes:\n  - name: saved\n    sql: "select ${turn}"\n` };
    for (const [at, engine] of engines.entries()) {
      const start = performance.now();
      const errors = await engine.check('model', [...model, saved]);
      if (errors.length > 0) throw new Error(errors[0]?.message);
      values[at]?.push(performance.now() - start);
    }
  }
  return values.map(([first = 0, ...later]) => ({ first, next: median(later) }));
}

function figure(id: string, value: number, peerValue: number, reach?: number): Figure {
  const ratio = value / peerValue;
  const judged = { id, value, unit: 'ms', peer: 'plain process', peerValue, ratio };
  return reach === undefined ? { ...judged, ok: true } : { ...judged, reach: reach * peerValue, ok: ratio <= reach };
}
