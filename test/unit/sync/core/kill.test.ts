import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startDevMode } from '#api/branches.ts';
import { openPlatform, send } from '#support/platform.ts';
import { buildKillPrograms, KillLane } from '#support/sync/kill-lane.ts';

/** Points at which the real process is killed in the ordinary run; `npm run bench -- sync-soak` takes 1,000. */
const KILLS = 200;
const LANES = 2;

it('survives kill -9 at any point of the real process', async () => {
  const platform = await openPlatform();
  const { url } = await platform.listen();
  const { value } = await send(platform, startDevMode, { params: { deploymentId: '1' }, body: { branchName: 'main' } });
  const programs = await buildKillPrograms();
  onTestFinished(() => rmSync(programs.folder, { recursive: true, force: true, maxRetries: 3 }));
  const setup = { url, key: platform.apiKey, branch: value.name };
  const lanes = Array.from({ length: LANES }, (_, at) => new KillLane(setup, programs, `lane${at}`));
  for (const lane of lanes) await lane.prepare();

  const whole = await lanes[0]?.round(0, 0);
  expect(whole?.problems).toEqual([]);
  const total = whole?.points ?? 0;
  expect(total).toBeGreaterThan(100);
  const points = Array.from({ length: KILLS }, (_, at) => 1 + Math.floor((at * total) / KILLS));
  const problems: string[] = [];
  const started = performance.now();
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
  console.log(
    `kill -9: ${KILLS} points of ${total}, nothing lost, all converged, ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );
});
