import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '#platform/app.ts';
import type { World } from '#support/api/story/step.ts';
import { openWorld, story } from '#support/api/story/world.ts';
import { quickEngine } from '#support/platform.ts';

/**
 * Every kind of change survives the end of the process right after its answer. What a process leaves when it is killed is
 * what is on the disk: a copy of the data folder at that moment is opened by another platform, which must hold the same.
 * `crash.test.ts` kills real processes.
 */

const home = mkdtempSync(join(tmpdir(), 'platform-survival-'));
let world: World;
beforeAll(async () => {
  world = await openWorld(join(home, 'live'));
});
afterAll(async () => {
  await world.platform.close();
  rmSync(home, { recursive: true, force: true });
});

/** Rows that go on changing after an answer: builds run by themselves, and both write their log (and their numbers). */
const restless = new Set(['builds', 'logs', 'journal', 'sqlite_sequence']);

type State = Readonly<Record<string, unknown>>;

/** Every row, and the files of every branch. */
async function stateOf({ control }: Platform): Promise<State> {
  const rows = control.rows();
  const branches = (rows['branches'] ?? []) as readonly { readonly deployment_id: number; readonly name: string }[];
  const files = await Promise.all(
    branches.map(async ({ deployment_id: id, name }) => [`${id} ${name}`, await control.hashes(id, name)] as const),
  );
  const kept = Object.entries(rows).filter(([table]) => !restless.has(table));
  return { ...Object.fromEntries(kept), files: Object.fromEntries(files) };
}

async function afterKill(): Promise<State> {
  const dataDir = mkdtempSync(join(home, 'copy-'));
  // Synchronous: nothing of this process runs meanwhile.
  cpSync(join(home, 'live'), dataDir, { recursive: true });
  const platform = await createPlatform({ dataDir, engine: quickEngine() });
  try {
    return await stateOf(platform);
  } finally {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('an acknowledged change is there after a kill', () => {
  it.each(story)('$op.id', async ({ op, play }) => {
    await play(world);
    const isChange = op.method !== 'GET';
    expect(isChange ? await afterKill() : {}).toEqual(isChange ? await stateOf(world.platform) : {});
  });
});
