import { ok, err, type Result } from '#base/result.ts';
import { comparableUrl } from './accounts.ts';

/** What a link into the extension points at. */
export interface DeepLink {
  readonly tenantUrl: string | undefined;
  readonly deploymentId: string;
  readonly branchName: string | undefined;
  /** A file of the branch; only with one. */
  readonly path: string | undefined;
}

/**
 * Reads `/deployment/<id>[/branch/<name>[/file/<path>]]` with `?tenant=<url>`. A link never carries a key, and nothing in
 * it changes anything: it only shows.
 */
export function parseDeepLink(path: string, query: string): Result<DeepLink, string> {
  const parts = path.split('/').filter((part) => part !== '');
  const decoded = parts.map(decode);
  if (decoded.includes(undefined)) return err('This link is damaged.');
  const [first, deploymentId, second, branchName, third, ...file] = decoded as readonly string[];
  if (first !== 'deployment' || deploymentId === undefined)
    return err('This link points at nothing that Modelbench knows.');
  if (second !== undefined && (second !== 'branch' || branchName === undefined)) return err('This link is damaged.');
  if (third !== undefined && (third !== 'file' || file.length === 0)) return err('This link is damaged.');
  if (file.includes('..')) return err('This link is damaged.');
  const tenantUrl = new URLSearchParams(query).get('tenant') ?? undefined;
  return ok({ tenantUrl, deploymentId, branchName, path: file.length === 0 ? undefined : file.join('/') });
}

/** The path and query of a link; `parseDeepLink` reads it back. */
export function deepLink({ tenantUrl, deploymentId, branchName, path }: DeepLink): {
  readonly path: string;
  readonly query: string;
} {
  const encoded = (text: string): string => encodeURIComponent(text);
  const branch = branchName === undefined ? '' : `/branch/${encoded(branchName)}`;
  const file = path === undefined ? '' : `/file/${path.split('/').map(encoded).join('/')}`;
  return {
    path: `/deployment/${encoded(deploymentId)}${branch}${file}`,
    query: tenantUrl === undefined ? '' : new URLSearchParams({ tenant: comparableUrl(tenantUrl) }).toString(),
  };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
