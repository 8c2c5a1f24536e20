/** Describes the flags of a dashboard for its viewers (docs/platform-api.md#dashboards); leaves out flags that are not set. */
export function dashboardFacts(dashboard: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(meanings).flatMap(([flag, meaning]) => (dashboard[flag] === true ? [meaning] : []));
}

const meanings = {
  restrictDataDownload: 'Viewers of its dashboard cannot download data',
  useBoardDashboards: 'Uses board dashboards',
  fromSharedWorkspace: 'From the shared workspace',
};
