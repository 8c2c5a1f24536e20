import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { readableTime } from '#base/timestamps.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import { plural } from '#base/words.ts';
import { EnvironmentVariables } from '#features/deployments/environment-variables.ts';
import { removeDeployment } from '#features/deployments/remove-deployment.ts';
import { runDbtSync } from '#features/deployments/run-dbt-sync.ts';
import {
  changeVersion,
  offeredVersions,
  typedVersion,
  type VersionChoice,
} from '#features/deployments/version-change.ts';
import { fetchPods, titleOf } from '#features/platform/index.ts';
import { type VariableChange, variablesSchema } from '#shell/env-vars.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { writeAtGate } from '#features/platform/vscode/index.ts';
import { askSetting, settingRows } from './deployment-settings.ts';
import type { ChangeDeps, DbtSyncDeps, SettingDeps, VariableDeps } from './deps.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import type { Recipe } from '#shell/recipe.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';

/** Asks for another version, a channel or a setting, and changes it after confirmation. */
export async function askVersion(services: SettingDeps, target: DeploymentTarget): Promise<void> {
  const { versions, channels } = await offeredVersions(services.data, target);
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
  if ('setting' in picked) return askSetting(services, target, picked.setting);
  const body = picked.body ?? (await typeVersion());
  if (!body) return;
  const sure = await confirm({
    title: text`Change the version of “${titleOf(services, target)}”?`,
    detail: text`It restarts with: ${picked.body ? picked.label.replace(/^\$\([\w-]+\) /, '') : Object.values(body).join()}.`,
    button: 'Change Version',
    typed: undefined,
  });
  if (!sure) return;
  await changeVersion(services.data, target, body);
  vscode.window.setStatusBarMessage('$(check) Version changed', 5000);
}

/** Asks for a version in one of the platform's three forms (docs/platform-api.md#updatedeployment). */
async function typeVersion(): Promise<VersionChoice | undefined> {
  const typed = await askChecked({
    title: text`Another Version`,
    prompt: text`A version in one of these forms: 1.2.3, v1.2.3 or image:v1.2.3.`,
    validate: (value) =>
      typedVersion(value) ? undefined : 'Enter <version>, v<version> or <image>:v<version>, such as v1.7.43.',
  });
  return typed === undefined ? undefined : typedVersion(typed);
}

/** Opens the environment variables as a document. Secrets stay masked, and saving first shows the changes. */
export async function editVariables(services: VariableDeps, target: DeploymentTarget): Promise<void> {
  const path = `/${titleOf(services, target)} ${target.deploymentId}/environment-variables.json`;
  await services.objects.open(variablesDocument(services, target, path));
}

/** Creates the document of the environment variables. */
export function variablesDocument(
  services: VariableDeps,
  { accountId, deploymentId }: DeploymentTarget,
  path: string,
): PlatformDocument {
  const variables = new EnvironmentVariables(services.data, { accountId, deploymentId });
  return {
    path,
    recipe: { kind: 'variables', target: { accountId, deploymentId } } satisfies Recipe,
    read: async () => ({ env_variables: await variables.read() }),
    problems: (edited) => variables.problems(edited),
    form: {
      title: 'Environment variables',
      owner: titleOf(services, { accountId, deploymentId }),
      schema: () => Promise.resolve(variablesSchema),
      problems: (edited) => variables.problems(edited),
    },
    save: async (edited) => {
      const written = await variables.save(edited, async (changes, now) =>
        confirmVariables(titleOf(services, { accountId, deploymentId }), changes, async () =>
          services.objects.compare(
            { path: path.replace(/\.json$/, ' (on the platform).json'), value: { env_variables: now } },
            services.objects.uriOf(path),
            'Environment variables: platform ↔ document',
          ),
        ),
      );
      if (written > 0) {
        vscode.window.setStatusBarMessage(text`$(check) Environment variables changed: ${written}`, 5000);
      }
      return { env_variables: variables.shown };
    },
  };
}

async function confirmVariables(
  deployment: string,
  changes: readonly VariableChange[],
  showDifference: () => Promise<void>,
): Promise<boolean> {
  const detail = changes.map(({ name, change }) => `${change}: ${name}`).join('\n');
  return confirm({
    title: text`Write ${plural(changes.length, 'environment variable')} of “${deployment}”?`,
    detail: `${detail}\n\nThe deployment restarts, production included.`,
    button: 'Write',
    more: { button: 'Show Difference', show: showDifference },
  });
}

/** Shows the pods in a quick pick. */
export async function showPods(services: Pick<ChangeDeps, 'data'>, target: DeploymentTarget): Promise<void> {
  const rows = await fetchPods(services.data, target);
  if (rows.length === 0) throw new Hint('This deployment has no pods now: it may be stopped or not built yet.');
  const items = rows.map(({ name, type, status, startedAt }) => ({
    label: withIcon(status === 'Running' ? 'pass' : 'circle-outline', textOf(name)),
    description: textOf([type, status].filter((fact) => fact !== undefined).join(' · ')),
    detail: startedAt === undefined ? text`` : text`since ${readableTime(startedAt)}`,
  }));
  await vscode.window.showQuickPick(items, {
    title: text`Pods of ${titleOf(services, target)}`,
    placeHolder: textOf(plural(rows.length, 'pod')),
  });
}

/** Starts a dbt sync, waits for its result and opens it as a comparison. */
export async function dbtSync(services: DbtSyncDeps, target: DeploymentTarget): Promise<void> {
  const branches = await services.data.of(target).branches.get();
  const picked = await vscode.window.showQuickPick(
    branches.map(({ name }) => ({ label: textOf(name), name })),
    { title: text`dbt Sync`, placeHolder: text`Which branch should the synced model be written to?` },
  );
  if (!picked) return;
  const write = { step: 'dbtSync', target, from: 'dbt', to: picked.name, isListed: true } as const;
  const detail = `The cubes of the dbt project are written to “${picked.name}”, or to a branch of their own.`;
  const outcome = await writeAtGate(services, { ...write, detail }, async (pass) =>
    runDbtSync({ ...services, clock: systemClock }, target, picked.name, pass),
  );
  if (outcome.kind !== 'sent') return;
  const { branchName, against, job } = outcome.value;
  vscode.window.setStatusBarMessage(text`$(check) The dbt sync wrote “${branchName}”${job}`, 5000);
  await execute('modelbench.branch.compare', { ...target, branchName, against });
}

/** Deletes a deployment after the user typed its name. */
export async function remove(services: ChangeDeps, target: DeploymentTarget): Promise<void> {
  const name = services.data.nameOf(target);
  const sure = await confirm({
    title: text`Delete deployment “${name}”`,
    detail: text`Its branches, environments and workspace are deleted for everyone. This cannot be undone.`,
    button: 'Delete',
    typed: name,
  });
  if (!sure) return;
  await removeDeployment(services, target);
  vscode.window.setStatusBarMessage(text`$(check) Deleted “${name}”`, 5000);
}
