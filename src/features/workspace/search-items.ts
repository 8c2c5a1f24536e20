import {
  type OfferedData,
  type PlatformData,
  reportPage,
  workbookPage,
  type WorkspaceItem,
} from '#features/platform/index.ts';
import type { ItemReference } from '#shell/bulk.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';

/** A search for reports and workbooks that contain a text, or only for those of one type. */
export interface ItemSearch {
  readonly text: string;
  readonly type?: Exclude<ItemReference['type'], 'FOLDER'> | undefined;
}

/**
 * Searches reports and workbooks on the platform. Throws `UserError` if workbooks are wanted and the platform does not list them.
 */
export async function itemsMatching(
  { data, offers, learnOffers }: OfferedData,
  target: DeploymentTarget,
  { text: search, type }: ItemSearch,
  signal: AbortSignal,
): Promise<readonly WorkspaceItem[]> {
  await learnOffers(target.accountId);
  const client = data.client(target.accountId);
  const hasWorkbooks = offers(target.accountId, 'listWorkbooks');
  if (type === 'WORKBOOK' && !hasWorkbooks) throw new Hint('This platform’s description lists no workbooks.');
  const none = { items: [] };
  const [workbooks, reports] = await Promise.all([
    hasWorkbooks && type !== 'REPORT' ? workbookPage(client, target.deploymentId, { search }, signal) : none,
    type === 'WORKBOOK' ? none : reportPage(client, target.deploymentId, { search }, signal),
  ]);
  return [...workbooks.items, ...reports.items];
}

/** Resolves to the reports that are connected to an external spreadsheet (docs/platform-api.md#listreports). */
export async function reportsOfSpreadsheet(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  externalWorkbookId: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceItem[]> {
  return (await reportPage(data.client(accountId), deploymentId, { externalWorkbookId }, signal)).items;
}
