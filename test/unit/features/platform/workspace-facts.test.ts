import { describe, expect, it } from 'vitest';
import { readableTime } from '#base/timestamps.ts';
import { dashboardFacts } from '#features/platform/dashboard-facts.ts';
import { reportFacts, workbookFacts } from '#features/platform/workspace-facts.ts';

describe('the facts of an item of the workspace', () => {
  it('name the times of a report and the spreadsheets it is connected to', () => {
    const report = {
      id: '1',
      name: 'Weekly',
      createdAt: '2026-01-02T03:04:05Z',
      updatedAt: 'yesterday',
      externalWorkbookPlacements: [
        { workbookId: 'sheet-9', resultLocation: 'Sheet1!A1', endResultCell: 'D9' },
        { workbookId: 'sheet-10' },
      ],
    };
    expect(reportFacts(report)).toEqual([
      `Created ${readableTime('2026-01-02T03:04:05.000Z')}`,
      'Changed yesterday',
      'Connected to spreadsheet sheet-9, Sheet1!A1 to D9',
      'Connected to spreadsheet sheet-10',
    ]);
  });

  it('name the owner of a workbook and the flags of its dashboard, wherever the platform puts them', () => {
    const flags = { restrictDataDownload: true, useBoardDashboards: false, fromSharedWorkspace: true };
    const facts = ['Viewers of its dashboard cannot download data', 'From the shared workspace'];
    expect(workbookFacts({ id: '1', user: { email: 'ada@shop.example' }, dashboard: flags })).toEqual([
      'Owned by ada@shop.example',
      ...facts,
    ]);
    expect(workbookFacts({ id: '1', ...flags })).toEqual(facts);
    expect(dashboardFacts({ restrictDataDownload: 'yes' })).toEqual([]);
  });
});
