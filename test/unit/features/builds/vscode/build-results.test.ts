import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { openBuildResults as Open } from '#features/builds/vscode/build-results.ts';
import type { BuildFinished } from '#features/platform/index.ts';
import type { shown as Shown } from '#support/fake-vscode.ts';

vi.mock('vscode', () => import('#support/fake-vscode.ts'));
// The problems of files need more of VS Code.
vi.mock('#features/builds/vscode/built-problems.ts', () => ({ BuiltProblems: Object, modelFilePattern: '' }));
vi.mock('#shell/vscode/settings.ts', () => ({ setting: () => false }));

let openBuildResults: typeof Open;
let shown: typeof Shown;
beforeAll(async () => {
  vi.resetModules();
  ({ openBuildResults } = await import('#features/builds/vscode/build-results.ts'));
  ({ shown } = await import('#support/fake-vscode.ts'));
});
afterAll(() => vi.resetModules());

const finished = (phase: string): BuildFinished =>
  ({
    target: { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' },
    state: { phase },
    isNews: true,
  }) as unknown as BuildFinished;

describe('the result of a build in the status bar', () => {
  it('does not stand beside a later failure', async () => {
    const results = openBuildResults({ session: { activeTarget: () => undefined } } as never);
    await results.show(finished('built'));
    expect(shown.statusBar).toEqual([expect.stringContaining('dev-ada-1: built')]);
    await results.show(finished('failed'));
    expect(shown.statusBar).toEqual([]);
  });
});
