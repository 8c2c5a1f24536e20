import { type EmbedTenant, runPythonReport, setDashboardEmbedding } from '#api/resources/embed.ts';
import type { AnswerOf } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';
import { embedAccessActions, getEmbedAccess, setEmbedAccess } from '#api/resources/workbooks.ts';
import { parsedJson } from '#base/json.ts';
import { type DescribedData, fetchEmbedTenants, type PlatformData } from '#features/platform/index.ts';
import { followingClientOf } from '#shell/following-client.ts';
import { offeredValues } from '#shell/offered-values.ts';
import { shownRows } from '#shell/shown-rows.ts';
import { dashboardParams, type Workbook } from './workbook.ts';

/**
 * The access to an embedded dashboard. The fields of these lists are not documented, so access can be set even if it is not
 * shown.
 */
export interface EmbedAccess {
  /** `undefined` if the platform does not show them. */
  readonly grants: readonly AnswerOf<typeof getEmbedAccess>['data'][number][] | undefined;
  /** `undefined` if the platform does not list them. */
  readonly tenants: readonly EmbedTenant[] | undefined;
  /** The actions that can be granted. */
  readonly actions: readonly string[];
}

/** Reads the access to the embedded dashboard of a workbook, and the actions that can be granted. */
export async function readEmbedAccess(services: DescribedData, workbook: Workbook): Promise<EmbedAccess> {
  const client = services.data.client(workbook.target.accountId);
  const [grants, tenants, { description }] = await Promise.all([
    shownRows(async () => client.call(getEmbedAccess, { params: dashboardParams(workbook) })),
    fetchEmbedTenants(services.data, workbook.target.accountId),
    services.capabilitiesOf(workbook.target.accountId),
  ]);
  return {
    grants,
    tenants,
    actions: offeredValues(description, setEmbedAccess, { body: 'action' }, embedAccessActions),
  };
}

/** Describes the current access of an embed tenant, or of all embed users (`undefined`). */
export function grantedAction({ grants }: Pick<EmbedAccess, 'grants'>, tenant: string | undefined): string {
  const grant = grants?.find((each) =>
    tenant === undefined ? each.allEmbedUsers === true : each.embedTenantName === tenant,
  );
  return grant?.action ?? (grants === undefined ? 'not shown by the platform' : 'not set');
}

/** Grants or revokes embedded access for an embed tenant, or for all embed users (`undefined`) (docs/platform-api.md#setembedaccess). */
export async function grantEmbedAccess(
  services: DescribedData,
  workbook: Workbook,
  tenant: string | undefined,
  action: string,
): Promise<void> {
  const body = tenant === undefined ? { allEmbedUsers: true as const, action } : { embedTenantName: tenant, action };
  await followingClientOf(services, workbook.target.accountId).call(setEmbedAccess, {
    params: dashboardParams(workbook),
    body,
  });
}

/** Switches signed embedding of a dashboard on or off (docs/platform-api.md#setdashboardembedding). */
export async function setSignedEmbedding(
  services: DescribedData,
  accountId: string,
  publicId: string,
  enabled: boolean,
): Promise<void> {
  await followingClientOf(services, accountId).call(setDashboardEmbedding, { params: { publicId }, body: { enabled } });
}

type Filters = readonly Readonly<Record<string, unknown>>[];

/** Parses filters of a dashboard that the user typed: a JSON array of objects; `undefined` for anything else. */
export function parseFilters(typed: string): Filters | undefined {
  const filters = parsedJson(typed);
  return Array.isArray(filters) && filters.every((each) => isObject(each)) ? filters : undefined;
}

/** Runs a Python report with filters of the dashboard (docs/platform-api.md#runpythonreport); resolves to its response. */
export async function runPythonOf(
  data: PlatformData,
  accountId: string,
  publicId: string,
  { filters, reportId }: { readonly filters: Filters; readonly reportId: string | undefined },
): Promise<unknown> {
  const body = { filters: [...filters], ...(reportId === undefined ? {} : { reportId }) };
  return data.client(accountId).call(runPythonReport, { params: { publicId }, body });
}
