import { connectReportToWorkbook } from '#api/resources/reports.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { ItemReference } from '#shell/bulk.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { Chosen } from './organise-items.ts';

/** A range of cells in an external spreadsheet. */
export interface SpreadsheetLocation {
  readonly externalWorkbookId: string;
  /** The first cell of the result, such as `Sheet1!A1`. */
  readonly resultLocation: string;
  readonly endResultCell: string;
}

/** Returns the first item; throws a `Hint` if it is not a report. */
export function onlyReport({ items }: Chosen): ItemReference {
  const [report] = items;
  if (report?.type !== 'REPORT') throw new Hint('Choose a report: only reports are connected to spreadsheets.');
  return report;
}

/** Links a report to a range in an external spreadsheet (docs/platform-api.md#connectreporttoworkbook). */
export async function connectReport(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  reportId: string,
  location: SpreadsheetLocation,
): Promise<void> {
  await data.client(accountId).call(connectReportToWorkbook, { params: { deploymentId, reportId }, body: location });
}
