import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { buildState } from '#features/platform/build-state.ts';
import { type BuildFinished, BuildWatcher } from '#features/platform/build-watch.ts';
import { ManualClock } from '#support/manual-clock.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };

function watching(...answers: readonly (Parameters<typeof buildState>[0] | Error)[]) {
  const clock = new ManualClock();
  const asked: number[] = [];
  const focused = new Store(true);
  const watcher = new BuildWatcher({
    ask: () => {
      asked.push(clock.now());
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      return answer instanceof Error || answer === undefined
        ? Promise.reject(answer ?? new Error('no answer'))
        : Promise.resolve(answer);
    },
    clock,
    logger: silentLogger,
    focused,
  });
  const finished: BuildFinished[] = [];
  watcher.onDidFinish((each) => finished.push(each));
  return { clock, watcher, asked, finished, focused };
}

const building = { status: 'building' };

describe('build watcher', () => {
  it('asks with growing pauses until the build ends, then stops', async () => {
    const { clock, watcher, asked, finished } = watching(building, building, building, { status: 'built' });
    await clock.run(watcher.follow(target));
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(pauses).toEqual([500, 750, 1125]);
    expect(finished).toMatchObject([{ state: { phase: 'built' }, isNews: true }]);
    await clock.advance(60_000);
    expect(asked).toHaveLength(4);
  });

  it.each(['Branch is not active', 'Bad branch', ' bad branch: dev-x'])('stops at “%s”', async (errorText) => {
    const { clock, watcher, asked, finished } = watching({ status: 'building', errorText });
    await clock.run(watcher.follow(target));
    await clock.advance(60_000);
    expect(asked).toHaveLength(1);
    expect(finished[0]?.state.phase).toBe('inactive');
  });

  it('follows a build through states of a newer platform to its end', async () => {
    const queued = { status: 'queued' };
    const { clock, watcher, asked, finished } = watching(queued, building, queued, { status: 'built' });
    await clock.run(watcher.follow(target));
    expect([asked.length, finished.map(({ state }) => state.phase)]).toEqual([4, ['built']]);
  });

  it('waits for no end that may never come, and takes an unknown state for nothing else', async () => {
    const { clock, watcher, asked, finished } = watching({ status: 'archived' });
    await clock.run(watcher.follow(target));
    const looks = asked.length;
    expect(looks).toBeLessThanOrEqual(30);
    await clock.advance(3_600_000);
    expect(asked).toHaveLength(looks);
    expect(finished).toMatchObject([{ state: { phase: 'unknown', unknownStatus: 'archived' } }]);
    expect(watcher.stateOf(target)).toMatchObject({ phase: 'unknown', unknownStatus: 'archived' });
  });

  it('reads an unknown state once where no build was requested', async () => {
    const { clock, watcher, asked } = watching({ status: 'archived' });
    await clock.run(watcher.check(target));
    expect(asked).toHaveLength(1);
  });

  it.each(['auth', 'forbidden', 'notFound'] as const)(
    'stops at once where the answer is %s, and does not continue saying that it builds',
    async (kind) => {
      const refused = new PlatformError({ kind, operation: 'getBuildStatus', message: 'No.' });
      const { clock, watcher, asked, finished } = watching(building, refused, { status: 'built' });
      await clock.run(watcher.follow(target));
      await clock.advance(60_000);
      expect([asked.length, finished.length, watcher.stateOf(target)]).toEqual([2, 0, undefined]);
      await clock.run(watcher.follow(target));
      expect(watcher.stateOf(target)?.phase).toBe('built');
    },
  );

  it('says nothing of a build any more when the platform has not answered for long', async () => {
    const { clock, watcher, asked } = watching(building, new Error('no answer'));
    await clock.run(watcher.follow(target));
    expect([asked.length, watcher.stateOf(target)]).toEqual([6, undefined]);
  });

  it('asks seldom while the window has no focus, and at once when it has it again', async () => {
    const { clock, watcher, asked, focused } = watching(building, building, building, building, { status: 'built' });
    focused.set(false);
    const following = watcher.follow(target);
    await clock.advance(59_000);
    expect(asked).toHaveLength(2);
    focused.set(true);
    await clock.advance(0);
    expect(asked).toHaveLength(3);
    await clock.run(following);
    expect(asked).toHaveLength(5);
  });

  it('can be ended while the window has no focus', async () => {
    const { clock, watcher, asked, focused } = watching(building);
    focused.set(false);
    const following = watcher.follow(target);
    await clock.advance(1000);
    watcher.stop(target);
    await clock.run(following);
    await clock.advance(120_000);
    expect(asked).toHaveLength(1);
  });

  it('follows a branch once, however many ask', async () => {
    const { clock, watcher, asked } = watching(building, { status: 'built' });
    const both = Promise.all([watcher.check(target), watcher.check(target)]);
    await clock.run(both);
    expect(asked).toHaveLength(2);
  });

  it('starts over when something newer was pushed', async () => {
    const { clock, watcher, finished } = watching(building, { status: 'failed', errorText: 'orders cube: no' });
    const first = watcher.follow(target);
    const second = watcher.follow(target);
    await clock.run(Promise.all([first, second]));
    expect(finished).toHaveLength(1);
    expect(watcher.stateOf(target)).toMatchObject({ phase: 'failed', errorText: 'orders cube: no' });
  });

  it('does not report an old result that was only read', async () => {
    const { clock, watcher, finished } = watching({ status: 'failed', errorText: 'x' });
    await clock.run(watcher.check(target));
    expect(finished).toMatchObject([{ isNews: false }]);
  });

  it('survives failures in between and gives up after five in a row', async () => {
    const down = new Error('down');
    const mixed = watching(down, down, { status: 'built' });
    await mixed.clock.run(mixed.watcher.follow(target));
    expect(mixed.finished).toHaveLength(1);
    const dead = watching(down);
    await dead.clock.run(dead.watcher.follow(target));
    expect(dead.asked).toHaveLength(5);
    expect(dead.finished).toHaveLength(0);
  });

  it('stops on request', async () => {
    const { clock, watcher, asked } = watching(building);
    const following = watcher.follow(target);
    await clock.advance(600);
    watcher.stop(target);
    await following;
    const before = asked.length;
    await clock.advance(60_000);
    expect(asked).toHaveLength(before);
  });

  it('fires no change for the same state', async () => {
    const { clock, watcher } = watching(building, building, building, { status: 'built' });
    let changes = 0;
    watcher.states.onDidChange(() => (changes += 1));
    await clock.run(watcher.follow(target));
    expect(changes).toBe(2);
  });
});
