import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { gitPauseContribution as GitPauseContribution } from '#features/folders/vscode/git-repositories.ts';

/** VS Code's list of extensions, in which the Git extension is or is not. */
const host = vi.hoisted(() => ({
  git: undefined as unknown,
  listeners: new Set<() => void>(),
}));

vi.mock('vscode', () => {
  const names = [
    'TreeItem',
    'CodeLens',
    'Diagnostic',
    'FileDecoration',
    'CompletionItem',
    'FileSystemError',
    'Uri',
    'TestRunRequest',
    'TestMessage',
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, Object])),
    ...Object.fromEntries(
      ['window', 'env', 'commands', 'languages', 'scm', 'authentication', 'lm', 'tests'].map((n) => [n, {}]),
    ),
    extensions: {
      getExtension: () => host.git,
      onDidChange: (listener: () => void) => {
        host.listeners.add(listener);
        return { dispose: () => host.listeners.delete(listener) };
      },
    },
  };
});

let gitPauseContribution: typeof GitPauseContribution;
beforeAll(() => vi.resetModules());
afterAll(() => vi.resetModules());
beforeEach(async () => {
  host.git = undefined;
  host.listeners.clear();
  ({ gitPauseContribution } = await import('#features/folders/vscode/git-repositories.ts'));
});

const gitExtension = (getAPI: () => unknown): unknown => ({
  isActive: true,
  exports: { enabled: true, onDidChangeEnablement: new Emitter<boolean>().event, getAPI },
});
const never = new Emitter<unknown>().event;
const api = { getRepository: () => null, onDidOpenRepository: never, onDidCloseRepository: never };

it('follows a Git extension that comes only when the user trusts the workspace', async () => {
  const store = new DisposableStore();
  const getAPI = vi.fn(() => api);
  const syncs = { all: new Store([]) } as never;
  await gitPauseContribution({ syncs, logger: silentLogger }).register(store);
  expect(getAPI).not.toHaveBeenCalled();
  for (const listener of host.listeners) listener();
  expect(getAPI).not.toHaveBeenCalled();
  host.git = gitExtension(getAPI);
  for (const listener of [...host.listeners]) listener();
  await expect.poll(() => getAPI.mock.calls.length).toBe(1);
  expect(host.listeners.size).toBe(0);
  store.dispose();
});

it('follows a Git extension that is there from the start, and waits for no other', async () => {
  const getAPI = vi.fn(() => api);
  host.git = gitExtension(getAPI);
  const store = new DisposableStore();
  const syncs = { all: new Store([]) } as never;
  await gitPauseContribution({ syncs, logger: silentLogger }).register(store);
  expect([getAPI.mock.calls.length, host.listeners.size]).toEqual([1, 0]);
  store.dispose();
});
