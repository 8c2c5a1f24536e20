import * as v from 'valibot';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import {
  deleteDeployment,
  listDeploymentVersions,
  startDbtSync,
  updateDeployment,
  versionReference,
} from '#api/deployments.ts';
import { listPods, readEnvVars, setEnvVars } from '#api/runtime.ts';
import { systemClock } from '#base/clock.ts';
import { plural } from '#base/words.ts';
import type { Branch } from '#features/platform/branches.ts';
import { followDbtSync, jobId, jobWords } from '#features/deployments/dbt-sync.ts';
import {
  readVariables,
  shownVariables,
  type Variable,
  type VariableChange,
  variableChanges,
  variableProblems,
} from '#shell/env-vars.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { changeSetting, settingRows } from './deployment-settings.ts';
import { titleOf } from '#features/platform/vscode/document-title.ts';
import type { ChangeDeps, DbtSyncDeps, SettingDeps, VariableDeps } from './deps.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { Recipe } from '#shell/vscode/recipe.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

/** Picks another version or the newest of a channel (docs/platform-api.md#listdeploymentversions, docs/platform-api.md#updatedeployment). */
export async function changeVersion(services: SettingDeps, target: DeploymentTarget): Promise<void> {
  const { deploymentId } = target;
  const client = services.data.client(target.accountId);
  const { data: versions } = await client.call(listDeploymentVersions, { params: { deploymentId } });
  const channels = [...new Set(versions.flatMap(({ releaseChannel }) => releaseChannel ?? []))];
  const items = [
    { label: text`$(edit) Another Version…`, description: text`1.2.3, v1.2.3 or image:v1.2.3`, body: undefined },
    ...channels.map((channel) => ({
      label: text`$(rss) Newest of channel “${channel}”`,
      description: text`follows the channel from now on`,
      body: { releaseChannel: channel },
    })),
    ...versions.map(({ version, releaseChannel, isCurrent, isLatestInChannel, releaseChannelVersion }) => ({
      label: isCurrent === true ? text`$(check) ${version}` : textOf(version),
      description: textOf(
        [releaseChannel, isCurrent === true ? 'current' : '', isLatestInChannel === true ? 'newest' : '']
          .filter((fact) => fact !== undefined && fact !== '')
          .join(' · '),
      ),
      body: { releaseChannelVersion },
    })),
    ...settingRows,
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Version and Settings of ${titleOf(services, target)}`,
    placeHolder: text`Choose a version or a setting. Changing the version restarts the deployment`,
    matchOnDescription: true,
  });
  if (!picked) return;
  if ('setting' in picked) return changeSetting(services, target, picked.setting);
  const body = picked.body ?? (await askVersion());
  if (!body) return;
  const sure = await confirm({
    title: text`Change the version of “${titleOf(services, target)}”?`,
    detail: text`It restarts with: ${picked.body ? picked.label.replace(/^\$\([\w-]+\) /, '') : Object.values(body).join()}.`,
    button: 'Change Version',
    typed: undefined,
  });
  if (!sure) return;
  await client.call(updateDeployment, { params: { deploymentId }, body });
  await services.data.of(target).versions.invalidate();
  vscode.window.setStatusBarMessage('$(check) Version changed', 5000);
}

/** The three forms that the platform takes (docs/platform-api.md#updatedeployment). */
async function askVersion(): Promise<{ readonly releaseChannelVersion: string } | undefined> {
  const typed = await askChecked({
    title: text`Another Version`,
    prompt: text`A version in one of these forms: 1.2.3, v1.2.3 or image:v1.2.3.`,
    validate: (value) =>
      v.is(versionReference, value.trim())
        ? undefined
        : 'Enter <version>, v<version> or <image>:v<version>, such as v1.7.43.',
  });
  return typed === undefined ? undefined : { releaseChannelVersion: typed.trim() };
}

/** Opens the environment variables as a document: secrets stay masked, saving shows what changes first. */
export async function editVariables(services: VariableDeps, target: DeploymentTarget): Promise<void> {
  const path = `/${titleOf(services, target)} ${target.deploymentId}/environment-variables.json`;
  await services.objects.open(variablesDocument(services, target, path));
}

/** The environment variables as a document. */
export function variablesDocument(
  services: VariableDeps,
  { accountId, deploymentId }: DeploymentTarget,
  path: string,
): PlatformDocument {
  const client = services.data.client(accountId);
  const read = async (): Promise<readonly Variable[]> => {
    return shownVariables(await readEnvVars(client, deploymentId));
  };
  let shown: readonly Variable[] = [];
  return {
    path,
    recipe: { kind: 'variables', target: { accountId, deploymentId } } satisfies Recipe,
    read: async () => {
      shown = await read();
      return { env_variables: shown };
    },
    problems: (edited) => variableProblems(edited, shown),
    save: async (edited) => {
      const variables = readVariables(edited, shown);
      if (!variables.ok) throw new UserError(variables.error);
      const now = await read();
      if (variableChanges(shown, now).length > 0) {
        throw new UserError('Someone changed the variables meanwhile. Open them again and repeat your change.');
      }
      const changes = variableChanges(shown, variables.value);
      if (changes.length > 0) {
        await confirmVariables(changes, async () =>
          services.objects.compare(
            { path: path.replace(/\.json$/, ' (on the platform).json'), value: { env_variables: now } },
            services.objects.uriOf(path),
            'Environment variables: platform ↔ document',
          ),
        );
        await client.call(setEnvVars, { params: { deploymentId }, body: { env_variables: [...variables.value] } });
        vscode.window.setStatusBarMessage(text`$(check) Environment variables changed: ${changes.length}`, 5000);
      }
      shown = await read();
      return { env_variables: shown };
    },
  };
}

async function confirmVariables(
  changes: readonly VariableChange[],
  showDifference: () => Promise<void>,
): Promise<void> {
  const detail = changes.map(({ name, change }) => `${change}: ${name}`).join('\n');
  const sure = await confirm({
    title: text`Write these environment variables? The deployment restarts.`,
    detail,
    button: 'Write',
    more: { button: 'Show Difference', show: showDifference },
  });
  if (!sure) throw new UserError('Cancelled: nothing was written. Your changes are still in the document.');
}

/** Shows the pods as a document. */
export async function showPods(services: Pick<ChangeDeps, 'data'>, target: DeploymentTarget): Promise<void> {
  const { deploymentId } = target;
  const client = services.data.client(target.accountId);
  const rows = await client.call(listPods, { params: { deploymentId } });
  if (rows.length === 0) throw new UserError('This deployment has no pods now: it may be stopped or not built yet.');
  const items = rows.map(({ name, type, status, startedAt }) => ({
    label: withIcon(status === 'Running' ? 'pass' : 'circle-outline', textOf(name)),
    description: textOf([type, status].filter((fact) => fact !== undefined).join(' · ')),
    detail: startedAt === undefined ? text`` : text`since ${new Date(startedAt).toLocaleString()}`,
  }));
  await vscode.window.showQuickPick(items, {
    title: text`Pods of ${titleOf(services, target)}`,
    placeHolder: textOf(plural(rows.length, 'pod')),
  });
}

/** Starts a dbt sync, follows it to its end and opens what it wrote as a difference. */
export async function dbtSync(services: DbtSyncDeps, target: DeploymentTarget): Promise<void> {
  const list = services.data.of(target).branches;
  const before = await list.get();
  const choice = await vscode.window.showQuickPick(
    before.map(({ name }) => ({ label: textOf(name), name })),
    { title: text`dbt Sync`, placeHolder: text`Which branch should the synced model be written to?` },
  );
  if (!choice) return;
  const picked = choice.name;
  const key = `dbt ${target.accountId} ${target.deploymentId}`;
  const started = await services.operations.run({
    label: text`Starting a dbt sync on ${picked}`,
    key,
    run: async () =>
      services.data
        .client(target.accountId)
        .call(startDbtSync, { params: { deploymentId: target.deploymentId }, body: { branchName: picked } }),
  });
  const { branchName } = started;
  const job = jobWords(started);
  services.logger.info('A dbt sync was started', { branchName, job });
  const read = async (): Promise<readonly Branch[]> => {
    await list.invalidate();
    return list.get();
  };
  const written = await services.operations.run({
    label: text`Waiting for the dbt sync on ${branchName}${job}`,
    key,
    cancellable: true,
    run: async ({ signal }) => followDbtSync({ branchName, before, read, clock: systemClock, signal }),
  });
  if (!written) {
    throw new UserError(
      `The dbt sync on “${branchName}”${job} is still running. Compare the branch later.`,
      job === '' ? undefined : { title: 'Copy Job Id', command: 'modelbench.copy', argument: { copy: jobId(started) } },
    );
  }
  const against = branchName === picked ? written.parentBranch : picked;
  vscode.window.setStatusBarMessage(text`$(check) The dbt sync wrote “${branchName}”${job}`, 5000);
  await execute('modelbench.branch.compare', { ...target, branchName, against });
}

/** Deletes a deployment after its name was typed. */
export async function remove(services: ChangeDeps, target: DeploymentTarget): Promise<void> {
  const name = services.data.nameOf(target);
  const sure = await confirm({
    title: text`Delete deployment “${name}”`,
    detail: text`Its branches, environments and workspace are deleted for everyone. This cannot be undone.`,
    button: 'Delete',
    typed: name,
  });
  if (!sure) return;
  const { deploymentId } = target;
  await services.operations.run({
    label: text`Deleting ${name}`,
    key: `delete ${target.accountId} ${deploymentId}`,
    run: async () => services.data.client(target.accountId).call(deleteDeployment, { params: { deploymentId } }),
  });
  await services.data.deployments(target.accountId).invalidate();
  vscode.window.setStatusBarMessage(text`$(check) Deleted “${name}”`, 5000);
}
