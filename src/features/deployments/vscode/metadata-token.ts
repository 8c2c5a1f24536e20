import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { readableTime } from '#base/timestamps.ts';
import { text, textOf } from '#base/user-text.ts';
import {
  environmentsOfType,
  makeMetadataToken,
  offeredEnvironmentTypes,
  parseSecurityContext,
} from '#features/deployments/metadata-token.ts';
import { parseLifetime } from '#features/deployments/token.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import type { SettingDeps } from './deps.ts';

/**
 * Asks for the environment, security context and lifetime of a metadata token and creates it. The token is copied to the
 * clipboard and never shown.
 */
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
    validate: (typed) =>
      parseSecurityContext(typed) ? undefined : 'Enter a JSON object, for example {"tenant": "acme"}.',
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
  const { token, expires } = await makeMetadataToken(services.data, target, {
    environmentId: environment,
    securityContext: parseSecurityContext(context) ?? {},
    lifetime: parseLifetime(lifetime) ?? 86_400,
  });
  await vscode.env.clipboard.writeText(token);
  const ends = expires && readableTime(expires.getTime());
  void vscode.window.showInformationMessage(
    text`The metadata token was copied to the clipboard${ends === undefined ? '' : ` and expires ${ends}`}. It gives access to metadata only, not to data.`,
  );
}

/** Asks for an environment; the list can be filtered by type. */
async function pickEnvironment(services: SettingDeps, target: DeploymentTarget): Promise<string | undefined> {
  let environments = await services.data.of(target).environments.get();
  const { description } = await services.capabilitiesOf(target.accountId);
  const types = offeredEnvironmentTypes(description).map((type) => ({
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
    environments = await environmentsOfType(services.data, target, picked.type);
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly id?: string;
  readonly type?: string;
}
