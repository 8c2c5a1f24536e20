import { readFileSync } from 'node:fs';
import { originOf } from '#base/origin.ts';
import { type CliContext, cliConfigPath, parseCliContexts } from '#features/accounts/cli-contexts.ts';
import type { Variables } from '#tools/platform/open-platform.ts';
import { ToolError } from '#tools/tool.ts';

/**
 * Returns the sign-in of the platform's own command line that tools use if the environment contains no key
 * (docs/tools.md#credentials): the one that `MODELBENCH_CONTEXT` names; else, if the folder is linked, one for its tenant, and
 * otherwise the default one. A folder chooses only between this user's sign-ins, and each key is sent only to its own tenant.
 * `undefined` if there is none. Throws `ToolError` for an unknown name and a file that cannot be parsed.
 */
export function chosenContext(
  variables: Variables,
  linkedTenant: string | undefined,
  platform: NodeJS.Platform = process.platform,
): CliContext | undefined {
  const named = variables['MODELBENCH_CONTEXT'];
  // An empty value turns off sign-ins, for example by the editor for its own servers.
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
