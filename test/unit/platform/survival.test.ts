import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatform, type Platform } from '#platform/app.ts';
import { playedStory } from '#support/api/story/played.ts';
import type { World } from '#support/api/story/step.ts';
import { openWorld, story } from '#support/api/story/world.ts';
import { quickEngine } from '#support/quick-engine.ts';

/**
 * Every kind of change survives the end of the process right after its answer. What a process leaves when it is killed is
 * what is on the disk: a copy of the data folder at that moment is opened by another platform, which must hold the same.
 * `crash.test.ts` kills real processes.
 */

const home = mkdtempSync(join(tmpdir(), 'platform-survival-'));
const live = join(home, 'live');
let world: World;
beforeAll(async () => {
  world = await openWorld({ dataDir: live });
});
afterAll(async () => {
  await world.platform.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

/** Rows that continue changing after an answer: builds run in the background, and both write their log (and their numbers). */
const restless = new Set(['builds', 'logs', 'journal', 'sqlite_sequence']);

type Rows = Readonly<Record<string, readonly unknown[]>>;

const kept = (rows: Rows): Rows => Object.fromEntries(Object.entries(rows).filter(([table]) => !restless.has(table)));

/** Every row, and the files of every branch. */
async function stateOf({ control }: Platform): Promise<unknown> {
  const rows = control.rows();
  const branches = (rows['branches'] ?? []) as readonly { readonly deployment_id: number; readonly name: string }[];
  const files = await Promise.all(
    branches.map(async ({ deployment_id: id, name }) => [`${id} ${name}`, await control.hashes(id, name)] as const),
  );
  return { rows: kept(rows), files: Object.fromEntries(files) };
}

/** What another platform makes of the folder. Copying is synchronous: nothing of this process runs meanwhile. */
async function stateAfterKill(): Promise<unknown> {
  const dataDir = mkdtempSync(join(home, 'copy-'));
  cpSync(live, dataDir, { recursive: true });
  const platform = await createPlatform({ dataDir, engine: quickEngine() });
  try {
    return await stateOf(platform);
  } finally {
    await platform.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The rows alone, as SQLite finds them in what was written. */
function rowsAfterKill(): Rows {
  const file = join(mkdtempSync(join(home, 'rows-')), 'platform.sqlite');
  for (const end of ['', '-wal']) cpSync(join(live, `platform.sqlite${end}`), `${file}${end}`);
  const database = new DatabaseSync(file);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const names = tables.map(({ name }) => String(name));
  const rows = Object.fromEntries(names.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]));
  database.close();
  return kept(rows);
}

/** What these change is in Git or in files as well. */
const inFiles = new Set(['Branches', 'Data model', 'Upload', 'GitHub', 'Deployments']);

const played = playedStory(async ({ op, play }) => {
  await play(world);
  const isFile = op.method !== 'GET' && inFiles.has(op.tag);
  const after = isFile ? await stateAfterKill() : rowsAfterKill();
  return { after, expected: isFile ? await stateOf(world.platform) : kept(world.platform.control.rows()) };
});

describe('an acknowledged change is there after a kill', () => {
  it.each(story)('$op.id', async (step) => {
    const { after, expected } = await played(step);
    expect(after).toEqual(expected);
  });
});
