import { listBranches } from '#api/resources/branches.ts';
import type { Client } from '#api/client/client.ts';
import { folderPages, reportPages, scimUserPages, workbookPages } from '#api/resources/lists.ts';
import { listNotifications } from '#api/resources/notifications.ts';
import { collect, type PageLoader } from '#api/resources/pagination.ts';
import type { listReports } from '#api/resources/reports.ts';
import { isObject } from '#api/schema.ts';
import { readServedPage, readServedRows, type Served, servedId } from '#api/resources/served.ts';
import type { listWorkbooks } from '#api/resources/workbooks.ts';

/** Reads the platform again, in the deployment of the request. */
export class DeploymentReader {
  readonly client: Client;
  readonly #params: Served;

  constructor(client: Client, params: Served) {
    this.client = client;
    this.#params = params;
  }

  get deploymentId(): string {
    return String(this.#params['deploymentId']);
  }

  /** Resolves to a whole list, with its rows as served. */
  async rows<T>(pages: (client: Client, deploymentId: string) => PageLoader<T>): Promise<readonly Served[]> {
    const { items, truncated } = await collect(pages(this.client, this.deploymentId));
    // The rest of a truncated list may contain the row.
    if (truncated) throw new NothingSeen();
    return items as readonly Served[];
  }

  /** Resolves to the users. An empty list proves nothing, because there is always one user: the caller. */
  async users(): Promise<readonly Served[]> {
    const users = await this.rows(scimUserPages);
    if (users.length === 0) throw new NothingSeen();
    return users;
  }

  async branches(): Promise<readonly Served[]> {
    return readServedRows(this.client, listBranches, { params: { deploymentId: this.deploymentId } });
  }

  async notifications(): Promise<readonly Served[]> {
    return readServedRows(this.client, listNotifications, { params: { deploymentId: this.deploymentId } });
  }

  /** Resolves to the report or workbook with a public id or slug. */
  async item(
    op: typeof listReports | typeof listWorkbooks,
    field: string,
    value: unknown,
  ): Promise<Served | undefined> {
    const params = { deploymentId: this.deploymentId };
    for (let after: string | undefined; ;) {
      const query = { first: 100, ...(after === undefined ? {} : { after }) };
      const { items, pageInfo } = await readServedPage(this.client, op, { params, query });
      const found = items.find((each) => each[field] === value);
      if (found || !pageInfo.hasNextPage || !pageInfo.endCursor || pageInfo.endCursor === after) return found;
      after = pageInfo.endCursor;
    }
  }

  /** Resolves to the rows of the items that a bulk operation named. */
  async itemsOf(named: unknown): Promise<readonly { readonly item: Served; readonly row: Served | undefined }[]> {
    const items = Array.isArray(named) ? named.map((each) => fieldsOf(each)) : [];
    const lists = new Map<unknown, readonly Served[]>();
    for (const type of new Set(items.map((each) => each['type']))) lists.set(type, await this.#listOf(type));
    return items.map((item) => ({ item, row: rowOf(lists.get(item['type']) ?? [], item['id']) }));
  }

  async #listOf(type: unknown): Promise<readonly Served[]> {
    if (type === 'FOLDER') return this.rows(folderPages);
    return type === 'REPORT' ? this.rows(reportPages) : this.rows(workbookPages);
  }
}

/** The platform was read again, and its response does not show the outcome. */
class NothingSeen extends Error {}

/** Finds the row with an id, which may be a number or text. */
export const rowOf = (rows: readonly Served[], id: unknown): Served | undefined =>
  rows.find((each) => servedId(each) === String(id));

/** Returns a section of a request as an object; an empty one if it is not an object. */
export const fieldsOf = (value: unknown): Served => (isObject(value) ? value : {});
