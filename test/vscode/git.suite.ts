import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '#base/disposable.ts';
import { type GitApi, gitRepositories } from '#features/folders/vscode/git-repositories.ts';
import type { GitRepository } from '#features/folders/git-pause.ts';
import { describe, it } from './runner.ts';

interface OpeningGit extends GitApi {
  openRepository(root: vscode.Uri): Promise<{ status(): Promise<void> } | null>;
}

/** Between two looks of the Git extension at its repository, in milliseconds. */
const again = 1000;

/** Resolves once a repository says what is expected of it. */
function until(repository: GitRepository, expected: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = repository.onDidChange(() => {
      if (!expected()) return;
      subscription.dispose();
      resolve();
    });
  });
}

describe('repositories of the Git extension', () => {
  it('report a new HEAD, and a merge that waits for the user', async () => {
    // Inside of a trusted folder: about any other, the Git extension asks first.
    const [trusted] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(trusted);
    const root = realpathSync(mkdtempSync(path.join(trusted.uri.fsPath, 'git-suite-')));
    const store = new DisposableStore();
    let looking: NodeJS.Timeout | undefined;
    const git = (...args: readonly string[]): void => {
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: root });
    };
    const commit = (text: string): void => {
      writeFileSync(path.join(root, 'model', 'a.yml'), text);
      git('add', '.');
      git('commit', '-qm', text);
    };
    try {
      mkdirSync(path.join(root, 'model'));
      git('init', '-q', '-b', 'main');
      commit('one');
      git('checkout', '-qb', 'topic');
      commit('two');
      git('checkout', '-q', 'main');
      commit('three');
      const extension = vscode.extensions.getExtension<{ getAPI(version: 1): OpeningGit }>('vscode.git');
      assert.ok(extension, 'VS Code has its Git extension');
      const api = (await extension.activate()).getAPI(1);
      const opened = await api.openRepository(vscode.Uri.file(root));
      // On a busy machine its watcher may begin after the change that it is to report.
      looking = setInterval(() => void opened?.status(), again);
      const repository = gitRepositories(api, store).of(vscode.Uri.file(path.join(root, 'model')).toString());
      assert.ok(repository, 'the folder lies in a repository');
      if (repository.head?.startsWith('main ') !== true)
        await until(repository, () => repository.head?.startsWith('main ') === true);
      assert.equal(repository.isUnfinished, false);
      const moved = until(repository, () => repository.head?.startsWith('topic ') === true);
      git('checkout', '-q', 'topic');
      await moved;
      const stopped = until(repository, () => repository.isUnfinished);
      assert.throws(() => git('merge', '-q', 'main'), 'the merge conflicts');
      await stopped;
      const free = until(repository, () => !repository.isUnfinished);
      git('merge', '--abort');
      await free;
    } finally {
      clearInterval(looking);
      store.dispose();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
