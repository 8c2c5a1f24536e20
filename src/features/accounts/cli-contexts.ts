import { parse } from 'smol-toml';
import * as v from 'valibot';
import { err, ok, type Result } from '#base/result.ts';
import { parseTenantUrl } from '#api/tenant-url.ts';

/** A named sign-in of the platform's command-line client. */
export interface CliContext {
  readonly name: string;
  /** The tenant's base URL without a trailing slash. */
  readonly tenantUrl: string;
  /** An API key or the access token of a browser sign-in. */
  readonly key: string;
  /** Present for browser sign-ins only. */
  readonly refreshToken: string | undefined;
  /** The client uses this context when no other is named. */
  readonly isDefault: boolean;
}

export interface CliContexts {
  readonly contexts: readonly CliContext[];
  /** A sentence for each context that cannot be used. */
  readonly problems: readonly string[];
}

const contextSchema = v.object({
  url: v.pipe(v.string(), v.nonEmpty()),
  api_key: v.pipe(v.string(), v.nonEmpty()),
  refresh_token: v.optional(v.string()),
});

/**
 * Reads the client's `config.toml`: `default_context` and `[contexts.NAME]` with `url`, `api_key` and, after a browser sign-in,
 * `refresh_token`. One damaged context does not hide the others; an error is returned only if the file is not TOML.
 */
export function parseCliContexts(text: string): Result<CliContexts, string> {
  let config: Readonly<Record<string, unknown>>;
  try {
    config = parse(text);
  } catch {
    return err('The command-line client’s config.toml cannot be read: it is not valid TOML.');
  }
  const listed = config['contexts'];
  const entries = typeof listed === 'object' && listed !== null ? Object.entries(listed) : [];
  const read = entries.map(([name, value]) => readContext(name, value, name === config['default_context']));
  return ok({
    contexts: read.flatMap((context) => (context.ok ? [context.value] : [])),
    problems: read.flatMap((context) => (context.ok ? [] : [context.error])),
  });
}

function readContext(name: string, value: unknown, isDefault: boolean): Result<CliContext, string> {
  const parsed = v.safeParse(contextSchema, value);
  if (!parsed.success) return err(`The context “${name}” has no "url" or no "api_key".`);
  const tenant = parseTenantUrl(parsed.output.url);
  if (!tenant.ok) return err(`The context “${name}”: ${tenant.error.message}`);
  const { api_key: key, refresh_token: refreshToken } = parsed.output;
  return ok({ name, tenantUrl: tenant.value.baseUrl, key, refreshToken, isDefault });
}

/** Returns the path of the client's configuration on this machine; `undefined` if the home folder is not known. */
export function cliConfigPath(
  platform: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (platform === 'win32') return within(environment['APPDATA'], '\\cube\\config.toml');
  // XDG says to ignore relative paths. A relative path in either variable would lead into an opened project.
  const [configured, home] = [environment['XDG_CONFIG_HOME'], environment['HOME']].map((path) =>
    path?.startsWith('/') === true ? path : undefined,
  );
  const folder = configured ?? within(home, '/.config');
  return within(folder, '/cube/config.toml');
}

function within(folder: string | undefined, path: string): string | undefined {
  return folder === undefined || folder === '' ? undefined : `${folder}${path}`;
}
