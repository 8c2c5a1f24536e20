import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import { problemsContribution } from '#features/builds/vscode/problems.ts';

const log = vi.hoisted(() => [] as string[]);
vi.mock('#features/builds/vscode/build-results.ts', () => ({
  openBuildResults: () => ({
    show: () => Promise.resolve(void log.push('shown')),
    forget: () => void log.push('forgotten'),
    dispose: () => undefined,
  }),
}));

describe('the problems of a build', () => {
  it.each(['the account is signed out', 'the branch is left'])('go when %s', async (why) => {
    log.length = 0;
    const store = new DisposableStore();
    onTestFinished(() => store.dispose());
    const target = { accountId: 'a', deploymentId: '1' };
    const [finished, devMode] = [new Emitter<object>(), new Emitter<object>()];
    const active = new Store<object | undefined>(target);
    const session = { active, onDidChangeDevMode: devMode.event, activeTarget: () => undefined };
    const builds = { onDidFinish: finished.event };
    void problemsContribution({ builds, session, logger: silentLogger } as never).register(store);
    finished.fire({ target });
    await expect.poll(() => log).toEqual(['shown']);
    if (why === 'the branch is left') devMode.fire(target);
    else active.set(undefined);
    await expect.poll(() => log).toEqual(['shown', 'forgotten']);
  });
});
