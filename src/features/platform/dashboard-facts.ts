/** What a dashboard’s flags mean to its viewers (docs/platform-api.md#dashboards); nothing of a flag that the platform does not send. */
export function dashboardFacts(dashboard: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(meanings).flatMap(([flag, meaning]) => (dashboard[flag] === true ? [meaning] : []));
}

const meanings = {
  restrictDataDownload: 'Viewers of its dashboard cannot download data',
  useBoardDashboards: 'Uses board dashboards',
  fromSharedWorkspace: 'From the shared workspace',
};
