import { describe, expect, it } from 'vitest';
import { RecentCheck } from '#sync/core/remote/recent-check.ts';

function desk() {
  const made = { now: 1_000_000, checks: 0, error: undefined as Error | undefined };
  const check = new RecentCheck(
    async () => {
      made.checks += 1;
      return made.error ? Promise.reject(made.error) : Promise.resolve();
    },
    { now: () => made.now },
  );
  return { made, check };
}

describe('a check that has passed', () => {
  it('counts for the time that is given, and not longer', async () => {
    const { made, check } = desk();
    await check.require(100, undefined);
    made.now += 100;
    await check.require(100, undefined);
    expect(made.checks).toBe(1);
    made.now += 1;
    await check.require(100, undefined);
    expect(made.checks).toBe(2);
  });

  it('does not count for longer where the clock is set back', async () => {
    const { made, check } = desk();
    await check.require(100, undefined);
    made.now -= 3_600_000;
    await check.require(100, undefined);
    expect(made.checks).toBe(2);
  });

  it('counts from its beginning, whatever its answer took', async () => {
    const made = { now: 0, checks: 0 };
    const check = new RecentCheck(
      async () => {
        made.checks += 1;
        made.now += 101;
        return Promise.resolve();
      },
      { now: () => made.now },
    );
    await check.require(100, undefined);
    await check.require(100, undefined);
    expect(made.checks).toBe(2);
  });
});

describe('a check that has not passed', () => {
  it('is made again, and reports why', async () => {
    const { made, check } = desk();
    made.error = new Error('moved');
    await expect(check.require(100, undefined)).rejects.toThrow('moved');
    await expect(check.require(100, undefined)).rejects.toThrow('moved');
    made.error = undefined;
    await check.require(100, undefined);
    expect(made.checks).toBe(3);
  });

  it('beside other work is reported by the next one that must pass', async () => {
    const { made, check } = desk();
    made.error = new Error('moved');
    await check.renew(100, undefined);
    await expect(check.require(100, undefined)).rejects.toThrow('moved');
  });
});
