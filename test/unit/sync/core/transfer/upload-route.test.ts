import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OwnTime, pushSlowly } from '#support/sync/slow-link.ts';
import { runAdaptive } from '#sync/core/remote/adaptive.ts';
import { LinkSpeed } from '#sync/core/remote/link-speed.ts';
import { chooseTransport, MAX_ROUNDS_MS, transactionRounds } from '#sync/core/transfer/upload-route.ts';

const uploads = (requests: readonly string[]): number => requests.filter((what) => what === 'upload').length;

describe('the route of a push', () => {
  it.each([
    ['new files', { areChanged: false, honours: true }],
    ['changed files', { areChanged: true, honours: true }],
    ['files of a platform that ignores conditions', { areChanged: true, honours: false }],
  ])(
    'takes at most 4 s for 400 %s at 200 ms a request and a list that proves it, and no longer than 501',
    async (_, what) => {
      const few = await pushSlowly({ files: 400, roundTrip: 200, ...what });
      const many = await pushSlowly({ files: 501, roundTrip: 200, ...what });
      expect(few.ms).toBeLessThanOrEqual(4000 + 200);
      expect(few.ms).toBeLessThanOrEqual(many.ms);
    },
  );

  it('sends changed files in conditional requests of many each over a slow link', async () => {
    const { requests } = await pushSlowly({ files: 400, roundTrip: 200, areChanged: true, honours: true });
    // One file alone asks whether conditions are honoured.
    expect(requests).toEqual(['list', 'list', ...Array.from({ length: 6 }, () => 'put'), 'list']);
  });

  it('takes one transaction where that does not take long, so that all of it is visible at once', async () => {
    for (const push of [
      { files: 60, roundTrip: 5 },
      { files: 3, roundTrip: 200 },
    ]) {
      const { requests } = await pushSlowly({ ...push, honours: true });
      expect(uploads(requests)).toBe(push.files);
      expect(requests.filter((what) => what === 'finish')).toHaveLength(1);
      expect(requests).not.toContain('put');
    }
  });

  it('never takes longer than patience allows, or than the platform’s batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 600 }),
        fc.integer({ min: 0, max: 2000 }),
        fc.boolean(),
        async (files, roundTrip, areChanged) => {
          const { ms } = await pushSlowly({ files, roundTrip, areChanged, honours: true });
          // The plan, a list, the probe and two rounds of batches at most four at a time, and the list that proves them.
          const batches = roundTrip * (5 + Math.ceil(Math.ceil(files / 80) / 4));
          expect(ms).toBeLessThanOrEqual(Math.max(MAX_ROUNDS_MS + 2 * roundTrip, batches));
        },
      ),
      { numRuns: 40, examples: [[2, 301, false]] },
    );
  });

  it('never makes a push wait for longer than patience allows when batches would be quicker', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 0, max: 5000 }), (files, roundTrip) => {
        if (chooseTransport(files, roundTrip) === 'batches') return;
        expect(roundTrip * transactionRounds(files)).toBeLessThanOrEqual(MAX_ROUNDS_MS);
      }),
    );
  });

  it('counts the rounds of a transaction as its uploads take them', async () => {
    for (const files of [1, 8, 9, 100, 400]) {
      let rounds = 0;
      let waiting: (() => void)[] = [];
      const run = runAdaptive(
        Array.from({ length: files }, (_, at) => at),
        () => new Promise<void>((resolve) => waiting.push(resolve)),
        { clock: new OwnTime(), signal: undefined },
      );
      while (waiting.length > 0) {
        rounds += 1;
        const round = waiting;
        waiting = [];
        for (const resolve of round) resolve();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await run;
      expect(Math.abs(transactionRounds(files) - 4 - rounds)).toBeLessThanOrEqual(1);
    }
  });

  it('depends on the quickest of the last requests', async () => {
    let now = 0;
    const link = new LinkSpeed({ now: () => now });
    const request = (ms: number): Promise<void> =>
      link.timed(() => {
        now += ms;
        return Promise.resolve();
      });
    expect(link.roundTrip).toBeUndefined();
    for (const ms of [900, 40, 300]) await request(ms);
    expect(link.roundTrip).toBe(40);
    for (let at = 0; at < 8; at++) await request(500);
    expect(link.roundTrip).toBe(500);
  });
});
