import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { parsedJson } from '#base/json.ts';
import { isObject } from '#api/schema.ts';
import { createMetadataToken, environmentTypes, listEnvironments } from '#api/environments.ts';
import { offeredValues } from '#shell/offered-values.ts';
import { parseLifetime, tokenExpiry } from '#features/deployments/token.ts';
import { fetchEnvironments } from '#features/platform/gateway.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import type { SettingDeps } from './deps.ts';

/** Makes a metadata token for an environment (docs/platform-api.md#createmetadatatoken); it goes to the clipboard and is never shown. */
export async function createToken(
  services: SettingDeps,
  target: DeploymentTarget,
  environmentId: string | undefined,
): Promise<void> {
  const environment = environmentId ?? (await pickEnvironment(services, target));
  if (environment === undefined) return;
  const context = await askChecked({
    title: text`Metadata Token`,
    step: 1,
    totalSteps: 2,
    prompt: text`Security context as JSON: it decides which parts of the model the token can see.`,
    value: '{}',
    validate: (typed) => (readContext(typed) ? undefined : 'Enter a JSON object, for example {"tenant": "acme"}.'),
  });
  if (context === undefined) return;
  const lifetime = await askChecked({
    title: text`Metadata Token`,
    step: 2,
    totalSteps: 2,
    prompt: text`How long should it be valid? For example 90m, 24h or 7d.`,
    value: '24h',
    validate: (typed) => (parseLifetime(typed) === undefined ? 'Enter a duration such as 90m, 24h or 7d.' : undefined),
  });
  if (lifetime === undefined) return;
  const client = services.data.client(target.accountId);
  const { data } = await client.call(createMetadataToken, {
    params: { deploymentId: target.deploymentId, environmentId: environment },
    body: { security_context: readContext(context) ?? {}, expires_in: parseLifetime(lifetime) ?? 86_400 },
  });
  await vscode.env.clipboard.writeText(data.token);
  const ends = (tokenExpiry(data.token) ?? dateOf(data.expires_at))?.toLocaleString();
  void vscode.window.showInformationMessage(
    text`The metadata token was copied to the clipboard${ends === undefined ? '' : ` and expires ${ends}`}. It gives access to metadata only, not to data.`,
  );
}

function dateOf(timestamp: string | undefined): Date | undefined {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}

function readContext(typed: string): Record<string, unknown> | undefined {
  const json = parsedJson(typed);
  return isObject(json) ? { ...json } : undefined;
}

/** Asks for an environment; where there are many, those of one type can be listed alone. */
async function pickEnvironment(services: SettingDeps, target: DeploymentTarget): Promise<string | undefined> {
  let environments = await services.data.of(target).environments.get();
  const { description } = await services.capabilitiesOf(target.accountId);
  const offered = offeredValues(description, listEnvironments, { query: 'type' }, environmentTypes);
  const types = offered.map((type) => ({
    label: text`$(filter) Only ${type}`,
    description: text`environments of this type`,
    type,
  }));
  for (;;) {
    const items = environments.map(({ id, name, type }) => ({ label: textOf(name), description: textOf(type), id }));
    const picked = await vscode.window.showQuickPick<Choice>([...items, ...types], {
      title: text`Metadata Token`,
      placeHolder: text`Which environment is the token for?`,
      ignoreFocusOut: true,
    });
    if (picked?.type === undefined) return picked?.id;
    const client = services.data.client(target.accountId);
    environments = await fetchEnvironments(client, target.deploymentId, undefined, picked.type);
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly id?: string;
  readonly type?: string;
}
