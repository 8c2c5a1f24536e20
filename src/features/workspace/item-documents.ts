import type { Client, ChangeOutcome } from '#api/client/client.ts';
import { createNotification, listNotifications, updateNotification } from '#api/resources/notifications.ts';
import { listReports, upsertReportByPublicId } from '#api/resources/reports.ts';
import { exactlyOne } from '#api/schema.ts';
import { readServedRows, type Served, servedId, servedText } from '#api/resources/served.ts';
import { listWorkbooks, upsertWorkbookBySlug } from '#api/resources/workbooks.ts';
import {
  type AdminDocument,
  bodySchema,
  changedBody,
  checkBody,
  checkChanges,
  editable,
  type FieldProblem,
  type Fields,
  pathSegment,
  sendBody,
  withHelp,
} from '#features/administration/index.ts';
import { UserError } from '#shell/user-error.ts';
import { servedPage } from '#features/platform/index.ts';
import { findItem, type ItemPage } from './find-item.ts';

/** The location of an object of the workspace: its client and deployment. */
export interface ItemLocation {
  readonly client: Client;
  readonly deploymentId: string;
  /**
   * Whether the platform lists workbooks (docs/platform-api.md#listworkbooks is optional); if it does not, the current workbook
   * of a slug cannot be read.
   */
  readonly listsWorkbooks?: (() => Promise<boolean>) | undefined;
}

/** Called with the new id and name of an object. */
type Follow = (id: string, name: string) => void;

const followNothing: Follow = () => undefined;

/**
 * Creates the document of a report that is created or updated by its public id when it is saved
 * (docs/platform-api.md#upsertreportbypublicid). `name`: the name of an existing report.
 */
export function reportDocument(
  location: ItemLocation,
  publicId: string,
  name: string | undefined,
  follow: Follow = followNothing,
): AdminDocument {
  const { client, deploymentId } = location;
  const params = { deploymentId, publicId };
  return {
    title: `the report “${publicId}”`,
    path: `/reports/${pathSegment(publicId)}.json`,
    read: async () => {
      const found = await named((request) => servedPage(client, listReports, deploymentId, request), 'publicId', {
        id: publicId,
        name,
      });
      if (found) return fieldsOf(found, ['name', 'publicId', 'folderId']);
      if (name === undefined) return { name: '' };
      throw new UserError(`The report “${name}” no longer exists, or has another public id.`);
    },
    edit: {
      isNew: false,
      sends: { op: upsertReportByPublicId, bodyOf: (fields) => fields },
      schema: bodySchema(`Report ${publicId}`, upsertReportByPublicId.body),
      check: (fields, before) => checkChanges(upsertReportByPublicId, params, fields, before),
      send: async (fields) => {
        await sendBody(client, upsertReportByPublicId, params, fields);
        const now = [textOr(fields['publicId'], publicId), textOr(fields['name'], name ?? publicId)] as const;
        follow(...now);
        return reportDocument(location, ...now, follow);
      },
    },
  };
}

/**
 * Creates the document of a workbook that is created or updated by its slug when it is saved
 * (docs/platform-api.md#upsertworkbookbyslug). `name`: the name of an existing workbook.
 */
export function workbookDocument(
  location: ItemLocation,
  slug: string,
  name: string | undefined,
  follow: Follow = followNothing,
): AdminDocument {
  const { client, deploymentId } = location;
  const params = { deploymentId, slug };
  return {
    title: `the workbook “${slug}”`,
    path: `/workbooks/${pathSegment(slug)}.json`,
    read: async () => {
      const isKnown = name !== undefined || ((await location.listsWorkbooks?.()) ?? true);
      const pages: ItemPage<Served> = (request) => servedPage(client, listWorkbooks, deploymentId, request);
      const found = isKnown ? await named(pages, 'slug', { id: slug, name }) : undefined;
      if (found) return fieldsOf(found, ['name', 'folderId']);
      if (name === undefined) return { name: '' };
      throw new UserError(`The workbook “${name}” no longer exists.`);
    },
    edit: {
      isNew: false,
      sends: { op: upsertWorkbookBySlug, bodyOf: (fields) => fields },
      schema: bodySchema(`Workbook ${slug}`, upsertWorkbookBySlug.body),
      check: (fields, before) => checkChanges(upsertWorkbookBySlug, params, fields, before),
      send: async (fields) => {
        await sendBody(client, upsertWorkbookBySlug, params, fields);
        const now = textOr(fields['name'], name ?? slug);
        follow(slug, now);
        return workbookDocument(location, slug, now, follow);
      },
    },
  };
}

/**
 * Returns the fields to write to a report or workbook, as the platform returned them. “Create or update” may replace the whole
 * object, so all of its fields are sent back. Missing fields are not added: a folder of null would move the item to the top.
 */
function fieldsOf(served: Served, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in served ? [[name, served[name]]] : [])));
}

/**
 * Creates the document of a scheduled notification, whose dashboard cannot be changed (docs/platform-api.md#notifications). Only
 * changes are sent.
 */
export function notificationDocument(location: ItemLocation, id: string): AdminDocument {
  const { client, deploymentId } = location;
  const params = { deploymentId, id };
  return {
    title: `notification ${id}`,
    path: `/notifications/${pathSegment(id)}.json`,
    read: async () => {
      const rows = await readServedRows(client, listNotifications, { params: { deploymentId } });
      const found = rows.find((each) => servedId(each) === id);
      if (!found) throw new UserError(`Notification ${id} no longer exists.`);
      const { dashboardId: _, dashboardPublicId: __, ...fields } = editable(found);
      return fields;
    },
    edit: {
      isNew: false,
      sends: { op: updateNotification, bodyOf: (fields, before) => changedBody(before, fields) },
      schema: withHelp(bodySchema(`Notification ${id}`, updateNotification.body), 'notification'),
      explain: (schema) => withHelp(schema, 'notification'),
      check: (fields, before) => checkChanges(updateNotification, params, fields, before),
      send: async (fields, before) => {
        await sendBody(client, updateNotification, params, changedBody(before, fields));
        return notificationDocument(location, id);
      },
    },
  };
}

/** The initial fields of a notification: for exactly one dashboard, every weekday morning. */
const newNotificationFields: Fields = {
  dashboardPublicId: '',
  name: '',
  schedule: '0 8 * * 1-5',
  timezone: 'UTC',
  recipients: [{ email: '' }],
};

/** Creates the document of a notification that is created when it is saved; `number` distinguishes open documents. */
export function newNotificationDocument(
  location: ItemLocation,
  number: number,
  follow: Follow = followNothing,
): AdminDocument {
  const { client, deploymentId } = location;
  const params = { deploymentId };
  const path = `/notifications/new notification ${number}.json`;
  return {
    title: 'new notification',
    path,
    read: () => Promise.resolve(newNotificationFields),
    edit: {
      isNew: true,
      sends: { op: createNotification, bodyOf: (fields) => fields, rule: oneDashboard },
      schema: withHelp(bodySchema('New notification', createNotification.body), 'notification'),
      explain: (schema) => withHelp(schema, 'notification'),
      check: (fields) => checkBody(createNotification, params, fields),
      send: async (fields) => {
        const before = await notificationIds(location);
        const checkOutcome = async (): Promise<ChangeOutcome> => ({
          kind: (await newIds(location, before)).length > 0 ? 'done' : 'notDone',
        });
        const answer = await sendBody(client, createNotification, params, fields, { checkOutcome });
        const id = servedId(answer) ?? (await newId(location, before));
        if (id === undefined) return unseenNotification(path, fields);
        follow(id, textOr(fields['name'], id));
        return notificationDocument(location, id);
      },
    },
  };
}

/** Checks a rule of docs/platform-api.md: exactly one of both fields. */
function oneDashboard({ dashboardId, dashboardPublicId }: Fields): FieldProblem | undefined {
  if (exactlyOne(dashboardId, dashboardPublicId)) return undefined;
  const message = 'exactly one of dashboardId and dashboardPublicId must be given. Nothing was sent.';
  return { field: 'dashboardId', message: `dashboardId: ${message}` };
}

async function notificationIds({ client, deploymentId }: ItemLocation): Promise<readonly string[]> {
  const { data } = await client.call(listNotifications, { params: { deploymentId } });
  return data.map(({ id }) => id);
}

async function newIds(location: ItemLocation, before: readonly string[]): Promise<readonly string[]> {
  return (await notificationIds(location)).filter((id) => !before.includes(id));
}

/** Resolves to the id of the one new notification; `undefined` if there are none or several. */
async function newId(location: ItemLocation, before: readonly string[]): Promise<string | undefined> {
  const created = await newIds(location, before);
  return created.length === 1 ? created[0] : undefined;
}

/** Creates a read-only document for a new notification whose id is not known: saving it again would create a second one. */
function unseenNotification(path: string, fields: Fields): AdminDocument {
  const readonlyReason =
    'The notification was created, but the platform did not return its id. Close this document and open it from “Notifications…”.';
  return { title: 'new notification', path, read: () => Promise.resolve(fields), readonlyReason };
}

/** Finds the item with a public id or slug; `name`: its last known name. */
async function named(
  page: ItemPage<Served>,
  field: 'publicId' | 'slug',
  { id, name }: { readonly id: string; readonly name: string | undefined },
): Promise<Served | undefined> {
  return findItem(page, (item) => servedText(item, field) === id, name === undefined ? [id] : [name, id]);
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other;
}
