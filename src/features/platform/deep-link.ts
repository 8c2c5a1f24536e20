import { ok, err, type Result } from '#base/result.ts';
import { comparableUrl } from '#features/accounts/index.ts';

/** The target of a link into the extension. */
export interface DeepLink {
  readonly tenantUrl?: string | undefined;
  readonly deploymentId: string;
  readonly branchName?: string | undefined;
  /** A file of the branch; requires a branch. */
  readonly path?: string | undefined;
  /** The platform's id of a chat thread. */
  readonly chatId?: string | undefined;
}

/**
 * Parses `/deployment/<id>[/branch/<name>[/file/<path>]][/chat/<thread>]` with `?tenant=<url>`. A link never contains a key and
 * never changes anything: it only shows its target.
 */
export function parseDeepLink(path: string, query: string): Result<DeepLink, string> {
  const parts = path.split('/').filter((part) => part !== '');
  const decoded = parts.map(decode);
  if (decoded.includes(undefined)) return err(DAMAGED);
  const [first, deploymentId, ...rest] = decoded as readonly string[];
  if (first !== 'deployment' || deploymentId === undefined) return err('Modelbench does not recognize this link.');
  const location = targetOf(rest);
  if (!location) return err(DAMAGED);
  const tenantUrl = new URLSearchParams(query).get('tenant') ?? undefined;
  return ok({ tenantUrl, deploymentId, ...location });
}

/** Returns the path and query of a link, which `parseDeepLink` can parse. */
export function deepLink({ tenantUrl, deploymentId, branchName, path, chatId }: DeepLink): {
  readonly path: string;
  readonly query: string;
} {
  const encoded = (text: string): string => encodeURIComponent(text);
  const branch = branchName === undefined ? '' : `/branch/${encoded(branchName)}`;
  const file = path === undefined ? '' : `/file/${path.split('/').map(encoded).join('/')}`;
  const chat = chatId === undefined ? '' : `/chat/${encoded(chatId)}`;
  return {
    path: `/deployment/${encoded(deploymentId)}${branch}${file}${chat}`,
    query: tenantUrl === undefined ? '' : new URLSearchParams({ tenant: comparableUrl(tenantUrl) }).toString(),
  };
}

const DAMAGED = 'This link is damaged. Ask for a new one.';

/** Parses what follows the deployment; `undefined` if it is invalid. */
function targetOf(parts: readonly string[]): Omit<DeepLink, 'deploymentId' | 'tenantUrl'> | undefined {
  const [what, name, third, ...rest] = parts;
  if (what === undefined) return {};
  if (name === undefined) return undefined;
  if (what === 'chat') return third === undefined ? { chatId: name } : undefined;
  if (what !== 'branch') return undefined;
  if (third === undefined) return { branchName: name };
  if (rest.length === 0) return undefined;
  if (third === 'chat') return rest.length === 1 ? { branchName: name, chatId: rest[0] } : undefined;
  return third === 'file' && !rest.includes('..') ? { branchName: name, path: rest.join('/') } : undefined;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
