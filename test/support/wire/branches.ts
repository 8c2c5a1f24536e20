import { createPlatformReader, createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { branchCommands } from '#features/branches/vscode/branch-commands.ts';
import { gitCommands } from '#features/history/vscode/git-commands.ts';
import { validateOnPlatform } from '#features/builds/vscode/validate-model.ts';
import type { HandlerDesk } from '../handler-desk.ts';
import { pick, press, type } from '../../vscode/answers.ts';
import { act, sendAnyway, type WireStory } from './story.ts';

const path = 'model/cubes/wire.yml';
const bytes = new TextEncoder().encode('cubes: []\n');

async function writer(desk: HandlerDesk) {
  const target = await startDevMode(desk, { ...desk.target, branchName: 'main' });
  const branch = devBranch(target.branchName);
  if (!branch.ok) throw new Error(branch.error);
  return { target, remote: createPlatformWriter({ client: desk.client, deployment: '1', branch: branch.value }) };
}

/** Requests of the Branches and Changes views and of sync. */
export const branchStories: readonly WireStory[] = [
  {
    name: 'creates, stages and deletes branches, and enters and leaves dev mode',
    play: async ({ services, target }, person) => {
      const run = branchCommands(services);
      const main = { ...target, branchName: 'main' };
      const made = { ...target, branchName: 'feature/wire' };
      const create = async () => run['modelbench.branch.create'](main);
      await act(person, create, type('feature/wire'), pick('Create Branch and Start Dev Mode'));
      await act(person, async () => run['modelbench.devMode.stop'](target));
      await act(person, async () => run['modelbench.devMode.start'](main), pick('main'));
      const enable = async () => run['modelbench.staging.enable'](made);
      await act(person, enable, press('Enable Staging Environment'));
      await act(person, async () => run['modelbench.branch.delete'](made), press('Delete feature/wire'));
    },
  },
  {
    name: 'validates the model of a branch',
    play: async ({ services, target }, person) => {
      await act(person, async () => validateOnPlatform(services, { ...target, branchName: 'main' }));
    },
  },
  {
    name: 'commits, pulls and merges',
    play: async (desk, person) => {
      const { target, remote } = await writer(desk);
      await remote.put([{ path, bytes, hash: '', expected: undefined }]);
      const options = ['squashCommits', 'removeBranch'];
      // The review page of changes for production is filled in and confirmed.
      const confirmStep = async (_: unknown, question: unknown) =>
        Promise.resolve({ question, input: { message: 'Wire', options, typed: '' } });
      const run = gitCommands({ ...(desk.services as object), confirmStep } as never);
      await act(person, async () => run['modelbench.commit'](target));
      await act(person, async () => run['modelbench.pull'](target));
      // Files that are equal on both branches are not merged.
      await remote.put([{ path: `${path}.yml`, bytes, hash: '', expected: undefined }]);
      await act(person, async () => sendAnyway(async () => run['modelbench.merge'](target)));
      await act(person, async () => run['modelbench.mergeToDefault'](target));
    },
  },
  {
    name: 'reads, writes, renames, deletes and uploads files',
    play: async (desk) => {
      const { target, remote } = await writer(desk);
      const { deploymentId: deployment, branchName } = target;
      const reader = createPlatformReader({ client: desk.client, deployment, branch: branchName });
      const { files } = await reader.list();
      for await (const _ of reader.read(new Set([...files.keys()].slice(0, 1)))) continue;
      await remote.put([{ path, bytes, hash: '', expected: undefined }]);
      await remote.rename([{ from: path, to: `${path}.yml`, expected: '' }]);
      await remote.remove([{ path: `${path}.yml`, expected: '' }]);
      const upload = await remote.startUpload();
      await sendAnyway(async () => upload.upload(path, bytes));
      await upload.finish(new Map([[path, 'a'.repeat(40) as never]]), false, undefined, 'Deploy');
    },
  },
];
