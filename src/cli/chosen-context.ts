import { readFileSync } from 'node:fs';
import { originOf } from '#base/origin.ts';
import { type CliContext, cliConfigPath, parseCliContexts } from '#features/accounts/cli-contexts.ts';
import type { Variables } from '#tools/open-platform.ts';
import { ToolError } from '#tools/tool.ts';

/**
 * The sign-in of the platform's own command line that tools use where no key is in the environment (docs/tools.md#credentials):
 * the one that `MODELBENCH_CONTEXT` names, else one for the tenant that the folder is linked to, else the default one. A folder
 * chooses between sign-ins of this user only, and each key goes to its own tenant. `undefined`: there is none. Throws `ToolError`
 * for a name that is not there and a file that cannot be read.
 */
export function chosenContext(
  variables: Variables,
  linkedTenant: string | undefined,
  platform: NodeJS.Platform = process.platform,
): CliContext | undefined {
  const named = variables['MODELBENCH_CONTEXT'];
  // Whoever sets it to nothing wants no other sign-in, for example the editor for its own servers.
  if (named === '' || hasKey(variables)) return undefined;
  const path = cliConfigPath(platform, variables);
  const text = path === undefined ? undefined : contentOf(path);
  if (text === undefined) return named === undefined ? undefined : refuse(named, []);
  const parsed = parseCliContexts(text);
  if (!parsed.ok) throw new ToolError('usage', parsed.error);
  const { contexts } = parsed.value;
  if (named !== undefined) return contexts.find(({ name }) => name === named) ?? refuse(named, contexts);
  return linkedTenant === undefined
    ? contexts.find(({ isDefault }) => isDefault)
    : mostWanted(contexts.filter(({ tenantUrl }) => originOf(tenantUrl) === originOf(linkedTenant)));
}

function hasKey(variables: Variables): boolean {
  return ['MODELBENCH_API_KEY', 'MODELBENCH_TENANT_URL'].some((name) => (variables[name] ?? '') !== '');
}

function mostWanted(contexts: readonly CliContext[]): CliContext | undefined {
  return contexts.find(({ isDefault }) => isDefault) ?? contexts[0];
}

function refuse(name: string, contexts: readonly CliContext[]): never {
  const known = contexts.map((context) => `“${context.name}”`).join(', ');
  throw new ToolError(
    'usage',
    `MODELBENCH_CONTEXT names “${name}”, and the platform’s command line has ${known === '' ? 'no context' : `only ${known}`}.`,
  );
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
