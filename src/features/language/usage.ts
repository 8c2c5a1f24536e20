import { isPlatformError } from '#api/errors.ts';
import type { AccountClients, Client } from '#api/client.ts';
import { getWorkbookDashboard } from '#api/dashboards.ts';
import { listReports } from '#api/reports.ts';
import { listWorkbooks } from '#api/workbooks.ts';
import { mapLimited } from '#base/async.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { WorkspaceUse } from './messages.ts';

/** The most items that are searched. */
const ceiling = 1000;

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
  await eachPage(async (after) => {
    const query = { first: 100, ...(after === undefined ? {} : { after }) };
    const page = await client.call(listReports, { params: { deploymentId }, query }, { signal });
    for (const report of page.items) note('report', report.name, report);
    return page;
  });
  if (options.dashboards) {
    await eachPage(async (after) => {
      const query = { first: 100, ...(after === undefined ? {} : { after }) };
      const page = await client.call(listWorkbooks, { params: { deploymentId }, query }, { signal });
      await mapLimited(page.items, 4, async (workbook) => {
        const { id, name, slug } = workbook;
        note('workbook', name ?? slug ?? id, workbook);
        note('dashboard', name ?? slug ?? id, await dashboardOf(client, deploymentId, id, signal));
      });
      return page;
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

interface Page {
  readonly items: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
}

async function eachPage(load: (after: string | undefined) => Promise<Page>): Promise<void> {
  let after: string | undefined;
  let count = 0;
  do {
    const { items, pageInfo } = await load(after);
    count += items.length;
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
  } while (after !== undefined && count < ceiling);
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
