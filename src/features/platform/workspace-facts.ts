import type { Report } from '#api/resources/reports.ts';
import { isObject } from '#api/schema.ts';
import type { Workbook } from '#api/resources/workbooks.ts';
import { readableTime } from '#base/timestamps.ts';
import { dashboardFacts } from './dashboard-facts.ts';

/**
 * Describes when a report was created, changed and viewed, and its positions in spreadsheets (docs/platform-api.md#listreports).
 */
export function reportFacts(report: Report): readonly string[] {
  const { createdAt, updatedAt, lastViewedAt, externalWorkbookPlacements = [] } = report;
  const placements = externalWorkbookPlacements.map(({ workbookId, resultLocation, endResultCell }) => {
    const cells = [resultLocation, endResultCell].filter((cell) => cell !== undefined).join(' to ');
    return `Connected to spreadsheet ${workbookId}${cells === '' ? '' : `, ${cells}`}`;
  });
  return [
    ...timeFact('Created', createdAt),
    ...timeFact('Changed', updatedAt),
    ...timeFact('Last viewed', lastViewedAt),
    ...placements,
  ];
}

/** Describes when a workbook was created, its owner, and its dashboard's settings, as far as the platform returns them. */
export function workbookFacts(workbook: Workbook): readonly string[] {
  const { user, createdAt, created_at: created, dashboard } = workbook;
  const owner = user?.name ?? user?.email ?? user?.id;
  const at = [createdAt, created].find((each) => typeof each === 'string');
  return [
    ...(owner === undefined ? [] : [`Owned by ${owner}`]),
    ...timeFact('Created', at),
    ...dashboardFacts(isObject(dashboard) ? dashboard : workbook),
  ];
}

const timeFact = (what: string, at: string | undefined): readonly string[] =>
  at === undefined ? [] : [`${what} ${readableTime(at)}`];
