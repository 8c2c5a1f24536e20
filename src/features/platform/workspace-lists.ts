import type { Client } from '#api/client/client.ts';
import { type Folder, listFolders } from '#api/resources/folders.ts';
import { listReports, type Report } from '#api/resources/reports.ts';
import type { CursorPage } from '#api/schema.ts';
import { readServedPage, type Served } from '#api/resources/served.ts';
import { listWorkbooks, type Workbook } from '#api/resources/workbooks.ts';
import { reportFacts, workbookFacts } from './workspace-facts.ts';
import type { Paged, WorkspaceFolder, WorkspaceItem } from './workspace-items.ts';

/** Rows per page: about two screens. */
const pageSize = 50;

/** The order of reports (docs/platform-api.md#listreports); without one, the server's own order. */
export type ReportOrder = string;

export interface PageRequest {
  readonly after?: string | undefined;
  readonly folderId?: string | undefined;
  readonly search?: string | undefined;
  readonly sortBy?: ReportOrder | undefined;
  /** Only reports that are connected to this spreadsheet. */
  readonly externalWorkbookId?: string | undefined;
}

/** Reads one page of the workspace's folders. */
export async function folderPage(
  client: Client,
  deploymentId: string,
  { after }: PageRequest,
  signal?: AbortSignal,
): Promise<Paged<WorkspaceFolder>> {
  const query = { first: pageSize, ...(after === undefined ? {} : { after }) };
  return paged(await client.call(listFolders, { params: { deploymentId }, query }, { signal }), toFolder);
}

/**
 * Reads one page of reports, of the whole workspace or of one folder. Sorted by `lastViewedAt` there is only one page
 * (docs/platform-api.md#listreports).
 */
export async function reportPage(
  client: Client,
  deploymentId: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Paged<WorkspaceItem>> {
  const { sortBy, externalWorkbookId } = request;
  const query = { ...queryOf(request), sortBy, externalWorkbookId };
  const page = paged(await client.call(listReports, { params: { deploymentId }, query }, { signal }), toReport);
  return sortBy === 'lastViewedAt' ? { ...page, next: undefined } : page;
}

/** Reads one page of workbooks (docs/platform-api.md#listworkbooks). */
export async function workbookPage(
  client: Client,
  deploymentId: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<Paged<WorkspaceItem>> {
  return paged(
    await client.call(listWorkbooks, { params: { deploymentId }, query: queryOf(request) }, { signal }),
    toWorkbook,
  );
}

/** Appends the next page; an item that moved between the pages is not shown twice. */
export function appendPage<T extends { readonly id: string }>(before: Paged<T>, page: Paged<T>): Paged<T> {
  const known = new Set(before.items.map((item) => item.id));
  return { items: [...before.items, ...page.items.filter((item) => !known.has(item.id))], next: page.next };
}

/** Reads a page of reports or workbooks as the platform returns them, for documents that are sent back. */
export async function servedPage(
  client: Client,
  op: typeof listReports | typeof listWorkbooks,
  deploymentId: string,
  request: PageRequest,
): Promise<Paged<Served>> {
  const query = queryOf(request);
  return paged(await readServedPage(client, op, { params: { deploymentId }, query }), (item) => item);
}

function queryOf({ after, folderId, search }: PageRequest): {
  first: number;
  after?: string;
  folderId?: string;
  search?: string;
} {
  return {
    first: pageSize,
    ...(after === undefined ? {} : { after }),
    ...(folderId === undefined ? {} : { folderId }),
    ...(search === undefined || search === '' ? {} : { search }),
  };
}

function paged<T, R>(list: CursorPage<T>, read: (item: T) => R): Paged<R> {
  const { hasNextPage, endCursor } = list.pageInfo;
  return { items: list.items.map(read), next: hasNextPage ? (endCursor ?? undefined) : undefined };
}

function toFolder({ id, name, parentId }: Folder): WorkspaceFolder {
  return { id, name, parentId };
}

const pathNames = (path: readonly { readonly id: string; readonly name?: string | undefined }[] | undefined) =>
  (path ?? []).map((entry) => entry.name ?? entry.id);

function toReport(report: Report): WorkspaceItem {
  return {
    type: 'REPORT',
    id: report.id,
    name: report.name,
    publicId: report.publicId,
    folderId: report.folderId,
    folderPath: pathNames(report.folderPath),
    // If the server does not return permissions, it checks them when the user makes a change.
    canEdit: report.canEdit ?? true,
    canManage: report.canManage ?? true,
    facts: reportFacts(report),
  };
}

function toWorkbook(workbook: Workbook): WorkspaceItem {
  return {
    type: 'WORKBOOK',
    id: workbook.id,
    name: workbook.name ?? workbook.slug ?? workbook.id,
    publicId: workbook.slug,
    folderId: workbook.folderId,
    folderPath: pathNames(workbook.folderPath),
    canEdit: true,
    canManage: true,
    facts: workbookFacts(workbook),
  };
}
