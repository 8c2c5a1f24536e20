import { describe, expect, it } from 'vitest';
import { openPlayground } from '#features/playground/vscode/open-playground.ts';
import type { PlaygroundOpening } from '#features/data/index.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/index.ts';

const active = { accountId: 'a', deploymentId: '1' };
const depsOf = (accounts: readonly object[], shown?: typeof active): DeploymentPickDeps =>
  ({ accounts: { all: { value: accounts } }, session: { active: { value: shown } } }) as unknown as DeploymentPickDeps;

/** Playgrounds that find a target or none, and remember what they were asked for. */
function playgroundsThat(found: boolean) {
  const asked: PlaygroundOpening[] = [];
  return { asked, show: async (opening: PlaygroundOpening) => Promise.resolve(asked.push(opening) > 0 && found) };
}

describe('opening the playground', () => {
  it('needs no account where a Cube Core server is found', async () => {
    const playgrounds = playgroundsThat(true);
    await openPlayground(playgrounds, depsOf([]), undefined);
    expect(playgrounds.asked).toEqual([{ folder: '', branch: undefined, isFixed: false }]);
  });

  it('explains what to do while signed out where no server is found, instead of asking to sign in', async () => {
    await expect(openPlayground(playgroundsThat(false), depsOf([]), undefined)).rejects.toMatchObject({
      message: expect.stringMatching(/^No Cube Core server answers on this machine\./) as string,
      action: { command: 'modelbench.data.chooseTarget' },
    });
  });

  it('runs queries in the shown deployment, and stays with a deployment that was named', async () => {
    const playgrounds = playgroundsThat(true);
    await openPlayground(playgrounds, depsOf([{}], active), undefined);
    await openPlayground(playgrounds, depsOf([{}], active), { ...active, deploymentId: '2' });
    expect(playgrounds.asked).toEqual([
      { folder: '', branch: active, isFixed: false },
      { folder: '', branch: { ...active, deploymentId: '2' }, isFixed: true },
    ]);
  });
});
