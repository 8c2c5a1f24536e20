import { rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDevMode } from '#api/resources/branches.ts';
import { openPlatform, send } from '#support/platform.ts';
import * as deaths from '#support/sync/deaths.ts';
import { buildKillPrograms, KillLane } from '#support/sync/kill-lane.ts';
import { rules } from '#support/sync/rules/all.ts';
import { loadWeakened } from '#support/weakened-modules.ts';

const DISK = { name: 'an ordinary disk' };

/**
 * Points at which the real process is killed in the ordinary run, for what a simulated disk cannot show: locks of dead
 * processes, the thread of the scan, the system's own calls. `npm run bench -- sync-soak` takes 1,000.
 */
const KILLS = 16;
const LANES = 2;

/** Rules of sync whose breach a kill brings to light. */
const broken = rules.filter(({ id }) => ['download-trash', 'download-recovered', 'trash-pull'].includes(id));

describe('a process that is killed', () => {
  it('loses nothing and converges, before whichever effect and within whichever write it ends', async () => {
    const every = await deaths.everyDeath(DISK);
    expect(every.length).toBeGreaterThan(250);
    expect(await deaths.judgeDeaths(DISK, every)).toEqual([]);
  });

  it.each(broken)('is found out where it $broken', async ({ edits }) => {
    const weak = loadWeakened('test/support/sync/deaths.ts', edits) as unknown as typeof deaths;
    const every = await weak.everyDeath(DISK);
    expect(broken).toHaveLength(3);
    expect(await weak.judgeDeaths(DISK, every, { isFirstEnough: true })).toHaveLength(1);
  });

  it('survives kill -9 of the real process', async () => {
    const platform = await openPlatform();
    const { url } = await platform.listen();
    const body = { branchName: 'main' };
    const { value } = await send(platform, startDevMode, { params: { deploymentId: '1' }, body });
    const programs = await buildKillPrograms();
    onTestFinished(() => rmSync(programs.folder, { recursive: true, force: true, maxRetries: 3 }));
    const setup = { url, key: platform.apiKey, branch: value.name };
    const lanes = Array.from({ length: LANES }, (_, at) => new KillLane(setup, programs, `lane${at}`));
    for (const lane of lanes) await lane.prepare();

    const whole = await lanes[0]?.round(0, 0);
    expect(whole?.problems).toEqual([]);
    const total = whole?.points ?? 0;
    expect(total).toBeGreaterThan(100);
    const points = Array.from({ length: KILLS }, (_, at) => 1 + Math.floor(((at + 0.5) * total) / KILLS));
    const problems: string[] = [];
    await Promise.all(
      lanes.map(async (lane, at) => {
        for (const [number, killAt] of points.entries()) {
          if (number % LANES !== at) continue;
          const round = await lane.round(killAt, number + 1);
          problems.push(...round.problems.map((problem) => `killed at point ${killAt}: ${problem}`));
        }
      }),
    );
    expect(problems).toEqual([]);
    console.log(`kill -9: ${KILLS} points of ${total}, nothing lost, all converged`);
  });
});
