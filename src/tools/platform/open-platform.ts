import { readCapabilities } from '#api/description/capabilities.ts';
import { type Client, type ClientLimits, createClient } from '#api/client/client.ts';
import { createDataClient } from '#api/data/data.ts';
import { changedError, isPlatformError } from '#api/errors.ts';
import { resolveLostReply } from '#api/lost-replies/lost-replies.ts';
import type { Fetch } from '#api/client/send.ts';
import { parseTenantUrl } from '#api/tenant-url.ts';
import type { Clock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import type { PlatformAccess } from '#tools/ports.ts';
import { ToolError } from '#tools/tool.ts';

/** Environment variables of a process, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The contents of a folder's `modelbench.json`. The file comes with a repository, so it never determines where a key is sent. */
interface Link {
  readonly tenantUrl: string;
  readonly deploymentId: string;
}

/** A sign-in of the platform's own command line. */
interface SignIn {
  readonly name: string;
  readonly tenantUrl: string;
  readonly key: string;
}

interface Options {
  /** Replaces the variables. */
  readonly context?: SignIn | undefined;
  /** The beginning of the paths of the folder for a user. */
  readonly folder?: string | undefined;
  readonly signal: AbortSignal;
  readonly userAgent: string;
  readonly fetch?: Fetch | undefined;
  readonly limits?: Partial<ClientLimits> | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Opens the platform with `MODELBENCH_API_KEY` and `MODELBENCH_TENANT_URL`, or a context (docs/tools.md#credentials). Throws
 * `ToolError` if one is missing or wrong, or if the folder is linked to another tenant than the key's; nothing is sent then.
 */
export function openPlatform(variables: Variables, link: Link | undefined, options: Options): PlatformAccess {
  const { key, tenantUrl, source } = accountOf(variables, options.context);
  if (link && originOf(link.tenantUrl) !== originOf(tenantUrl))
    throw new ToolError(
      'usage',
      `This folder is linked to ${shown(link.tenantUrl)}, and ${source} is for ${tenantUrl}. Nothing was sent. Use credentials for the tenant of the folder, or another folder.`,
    );
  return {
    client: clientOf(key, tenantUrl, source, options),
    dataClient: (restUrl, token) => dataClientOf(restUrl, token, options),
    tenantUrl,
    linkedDeployment: link?.deploymentId,
    folder: options.folder ?? '',
  };
}

interface Account {
  readonly key: string;
  readonly tenantUrl: string;
  /** Text that describes where the key comes from. */
  readonly source: string;
}

function accountOf(variables: Variables, context: SignIn | undefined): Account {
  if (context) {
    const { key, tenantUrl, name } = context;
    return { key, tenantUrl, source: `the context “${name}” of the platform’s command line` };
  }
  const key = variables['MODELBENCH_API_KEY']?.trim() ?? '';
  const typed = variables['MODELBENCH_TENANT_URL']?.trim() ?? '';
  if (key === '' || typed === '')
    throw new ToolError(
      'usage',
      'This needs the platform. Set MODELBENCH_API_KEY to an API key and MODELBENCH_TENANT_URL to the address of its tenant, or sign in with the platform’s command line.',
    );
  const tenant = parseTenantUrl(typed);
  if (!tenant.ok) throw new ToolError('usage', `MODELBENCH_TENANT_URL cannot be used. ${tenant.error.message}`);
  return { key, tenantUrl: tenant.value.baseUrl, source: 'MODELBENCH_API_KEY' };
}

function clientOf(
  key: string,
  baseUrl: string,
  source: string,
  { signal, userAgent, fetch, limits, clock }: Options,
): Client {
  const client = createClient({
    baseUrl,
    credential: () => ({ kind: 'bearer', token: key, origin: originOf(baseUrl) }),
    supports: async (op) => (await readCapabilities(client, signal)).has(op),
    logger: silentLogger,
    userAgent,
    fetch,
    limits,
    clock,
    resolveLostReply,
  });
  const refused = `${baseUrl} does not accept the key in ${source}: it is wrong or has expired.`;
  return {
    call: (op, request, call) => explained(client.call(op, request, call), refused),
    open: (op, request, call) => explained(client.open(op, request, call), refused),
  };
}

/**
 * Returns the client for the data API of an environment. A token is sent only to its own host, and the platform's key is never
 * sent there.
 */
export function dataClientOf(
  restUrl: string,
  token: string,
  { userAgent, fetch, limits, clock }: Pick<Options, 'userAgent' | 'fetch' | 'limits' | 'clock'>,
): ReturnType<PlatformAccess['dataClient']> {
  const client = createDataClient({
    restUrl,
    credential: () => ({ kind: 'plain', token, origin: originOf(restUrl) }),
    logger: silentLogger,
    userAgent,
    fetch,
    limits,
    clock,
  });
  const refused = `${originOf(restUrl)} does not accept the token that the platform issued for it.`;
  return {
    load: (query, call) => explained(client.load(query, call), refused),
    sql: (query, call) => explained(client.sql(query, call), refused),
    cubeSql: async function* (statement, call) {
      const batches = client.cubeSql(statement, call);
      for (;;) {
        const next = await explained(batches.next(), refused);
        if (next.done === true) return;
        yield next.value;
      }
    },
  };
}

/** Replaces the client's message about a refused key, which is about signing in. */
async function explained<T>(answer: Promise<T>, message: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isPlatformError(error, 'auth')) throw error;
    throw changedError(error, { message });
  }
}

/** Returns a URL from a repository for display, without a user name or password in it. */
function shown(address: string): string {
  return originOf(address) ?? 'an address that cannot be used';
}
