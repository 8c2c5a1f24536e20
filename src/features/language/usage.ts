import { isPlatformError } from '#api/errors.ts';
import type { AccountClients, Client } from '#api/client/client.ts';
import { getWorkbookDashboard } from '#api/resources/dashboards.ts';
import { reportPages, workbookPages } from '#api/resources/lists.ts';
import { collect, listItems } from '#api/resources/pagination.ts';
import { mapLimited } from '#base/async.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { WorkspaceUse } from './messages.ts';

/** The most reports, and the most workbooks, that are searched. */
const mostItems = 1000;

/**
 * Resolves to the reports, workbooks and their dashboards of the workspace that name one of these members (`orders.total`, or a
 * whole cube as `orders.`). It searches what the platform returns of each, and can find nothing else.
 */
export async function workspaceUsage(
  data: AccountClients,
  { accountId, deploymentId }: DeploymentTarget,
  gone: readonly string[],
  options: { readonly dashboards: boolean; readonly signal?: AbortSignal | undefined },
): Promise<readonly WorkspaceUse[]> {
  if (gone.length === 0) return [];
  const used: WorkspaceUse[] = [];
  const note = (type: WorkspaceUse['type'], name: string, content: unknown): void => {
    const names = namesIn(content, gone);
    if (names.length > 0) used.push({ type, name, names });
  };
  const { signal } = options;
  const client = data.client(accountId);
  const limits = { maxItems: mostItems, signal };
  for await (const report of listItems(reportPages(client, deploymentId), limits)) note('report', report.name, report);
  if (options.dashboards) {
    const { items } = await collect(workbookPages(client, deploymentId), limits);
    await mapLimited(items, 4, async (workbook) => {
      const { id, name, slug } = workbook;
      note('workbook', name ?? slug ?? id, workbook);
      note('dashboard', name ?? slug ?? id, await dashboardOf(client, deploymentId, id, signal));
    });
  }
  return used;
}

/** Returns the names that occur as whole words anywhere in a value. */
export function namesIn(content: unknown, gone: readonly string[]): readonly string[] {
  const text = JSON.stringify(content) ?? '';
  return gone.filter((name) => {
    const word = name.replaceAll('.', String.raw`\.`);
    return new RegExp(String.raw`(?<![\w.])${word}${name.endsWith('.') ? String.raw`\w` : String.raw`(?!\w)`}`).test(
      text,
    );
  });
}

/** Resolves to the dashboard of a workbook. A workbook without one is not an error. */
async function dashboardOf(
  client: Client,
  deploymentId: string,
  workbookId: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    return await client.call(getWorkbookDashboard, { params: { deploymentId, workbookId } }, { signal });
  } catch (error) {
    if (isPlatformError(error, 'notFound')) return undefined;
    throw error;
  }
}
