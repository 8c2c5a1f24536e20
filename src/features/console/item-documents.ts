import type { Client } from '#api/client.ts';
import { createNotification, listNotifications, updateNotification } from '#api/notifications.ts';
import { upsertReportByPublicId } from '#api/reports.ts';
import { upsertWorkbookBySlug } from '#api/workbooks.ts';
import { type AdminDocument, checkBody, editable, pathPart, sendBody } from '../admin/document.ts';
import { bodySchema } from '../admin/document-schema.ts';
import type { Fields } from '../admin/rows.ts';
import { UserError } from '../user-error.ts';
import type { WorkspaceItem } from '../workspace-items.ts';
import { reportPage, workbookPage } from '../workspace-lists.ts';
import { findItem, type ItemPage } from './find-item.ts';

/** Where an object of the workspace is: its client and deployment. */
export interface ItemPlace {
  readonly client: Client;
  readonly deploymentId: string;
  /** Whether the platform lists workbooks ◇; where it does not, what a slug stands for is not known. */
  readonly listsWorkbooks?: (() => Promise<boolean>) | undefined;
}

/** Told under which id and name an object is from now on. */
type Follow = (id: string, name: string) => void;

const followNothing: Follow = () => undefined;

/** A report, made or updated by its public id when it is saved (management 4.11). `name`: of one that is there. */
export function reportDocument(
  place: ItemPlace,
  publicId: string,
  name: string | undefined,
  follow: Follow = followNothing,
): AdminDocument {
  const { client, deploymentId } = place;
  const params = { deploymentId, publicId };
  return {
    title: `the report “${publicId}”`,
    path: `/reports/${pathPart(publicId)}.json`,
    read: async () => {
      const found = await named((request) => reportPage(client, deploymentId, request), publicId, name);
      if (found) return { name: found.name, publicId, folderId: found.folderId ?? null };
      if (name === undefined) return { name: '' };
      throw new UserError(`The report “${name}” is not there any more, or has another public id.`);
    },
    edit: {
      isNew: false,
      schema: bodySchema(`Report ${publicId}`, upsertReportByPublicId.body),
      check: (fields) => checkBody(upsertReportByPublicId, params, fields),
      send: async (fields) => {
        await sendBody(client, upsertReportByPublicId, params, fields);
        const now = [textOr(fields['publicId'], publicId), textOr(fields['name'], name ?? publicId)] as const;
        follow(...now);
        return reportDocument(place, ...now, follow);
      },
    },
  };
}

/** A workbook, made or updated by its slug when it is saved (management 4.11). `name`: of one that is there. */
export function workbookDocument(
  place: ItemPlace,
  slug: string,
  name: string | undefined,
  follow: Follow = followNothing,
): AdminDocument {
  const { client, deploymentId } = place;
  const params = { deploymentId, slug };
  return {
    title: `the workbook “${slug}”`,
    path: `/workbooks/${pathPart(slug)}.json`,
    read: async () => {
      const isKnown = name !== undefined || ((await place.listsWorkbooks?.()) ?? true);
      const pages: ItemPage<WorkspaceItem> = (request) => workbookPage(client, deploymentId, request);
      const found = isKnown ? await named(pages, slug, name) : undefined;
      if (found) return { name: found.name, folderId: found.folderId ?? null };
      if (name === undefined) return { name: '' };
      throw new UserError(`The workbook “${name}” is not there any more.`);
    },
    edit: {
      isNew: false,
      schema: bodySchema(`Workbook ${slug}`, upsertWorkbookBySlug.body),
      check: (fields) => checkBody(upsertWorkbookBySlug, params, fields),
      send: async (fields) => {
        await sendBody(client, upsertWorkbookBySlug, params, fields);
        const now = textOr(fields['name'], name ?? slug);
        follow(slug, now);
        return workbookDocument(place, slug, now, follow);
      },
    },
  };
}

/** A scheduled notification; its dashboard stays what it was made for (management 4.11). */
export function notificationDocument(place: ItemPlace, id: string): AdminDocument {
  const { client, deploymentId } = place;
  const params = { deploymentId, id };
  return {
    title: `notification ${id}`,
    path: `/notifications/${pathPart(id)}.json`,
    read: async () => {
      const { data } = await client.call(listNotifications, { params: { deploymentId } });
      const found = data.find((each) => each.id === id);
      if (!found) throw new UserError(`Notification ${id} is not there any more.`);
      const { dashboardId: _, dashboardPublicId: __, ...fields } = editable(found);
      return fields;
    },
    edit: {
      isNew: false,
      schema: bodySchema(`Notification ${id}`, updateNotification.body),
      check: (fields) => checkBody(updateNotification, params, fields),
      send: async (fields) => {
        await sendBody(client, updateNotification, params, fields);
        return notificationDocument(place, id);
      },
    },
  };
}

/** What a notification is made of: for exactly one dashboard, every morning of a working day. */
const newNotificationFields: Fields = {
  dashboardPublicId: '',
  name: '',
  schedule: '0 8 * * 1-5',
  timezone: 'UTC',
  recipients: [{ email: '' }],
};

/** A notification that is made when it is saved; `number` tells open documents apart. */
export function newNotificationDocument(
  place: ItemPlace,
  number: number,
  follow: Follow = followNothing,
): AdminDocument {
  const { client, deploymentId } = place;
  const params = { deploymentId };
  return {
    title: 'new notification',
    path: `/notifications/new notification ${number}.json`,
    read: () => Promise.resolve(newNotificationFields),
    edit: {
      isNew: true,
      schema: bodySchema('New notification', createNotification.body),
      check: (fields) => checkBody(createNotification, params, fields),
      send: async (fields) => {
        const { id } = await sendBody(client, createNotification, params, fields);
        if (typeof id !== 'string')
          throw new UserError('The notification was made, but the platform did not say its id. Close this document.');
        follow(id, textOr(fields['name'], id));
        return notificationDocument(place, id);
      },
    },
  };
}

/** The item of a public id or slug; `name`: what it was called last. */
async function named(
  page: ItemPage<WorkspaceItem>,
  publicId: string,
  name: string | undefined,
): Promise<WorkspaceItem | undefined> {
  return findItem(page, (item) => item.publicId === publicId, name === undefined ? [publicId] : [name, publicId]);
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other;
}
