import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import {
  changed,
  exactlyOne,
  idIn,
  idOut,
  inDeployment,
  listOf,
  numberOut,
  openBody,
  opt,
  rowsOf,
  strictObject,
  text,
} from '#api/schema.ts';

const tag = 'Notifications';
const oneNotification = strictObject({ deploymentId: idIn, id: idIn });

const recipient = v.looseObject({
  userId: opt(idOut),
  email: opt(v.string()),
  username: opt(v.string()),
  embedTenantName: opt(v.string()),
  externalId: opt(v.string()),
});

const notificationEntries = {
  id: idOut,
  name: opt(v.string()),
  // Documented as a number; other text is left as it is.
  dashboardId: opt(v.union([numberOut, v.string()])),
  dashboardPublicId: opt(v.string()),
  schedule: opt(v.string()),
  timezone: opt(v.string()),
  enabled: opt(v.boolean()),
  recipients: opt(rowsOf(recipient)),
  filters: opt(v.array(v.unknown())),
  timeGrains: opt(v.array(v.unknown())),
};
const notification = v.looseObject(notificationEntries);
export type Notification = v.InferOutput<typeof notification>;

const recipientIn = v.looseObject({
  userId: v.optional(idIn),
  email: v.optional(text),
  username: v.optional(text),
  embedTenantName: v.optional(text),
  externalId: v.optional(text),
});

const notificationIn = {
  name: v.optional(text),
  schedule: v.optional(text),
  timezone: v.optional(text),
  enabled: v.optional(v.boolean()),
  recipients: v.optional(v.array(recipientIn)),
  filters: v.optional(v.array(v.unknown())),
  timeGrains: v.optional(v.array(v.unknown())),
};

/** See docs/platform-api.md#listnotifications. */
export const listNotifications = operation({
  id: 'listNotifications',
  method: 'GET',
  path: '/api/v1/deployments/{deploymentId}/notifications',
  tag,
  summary: 'List the scheduled notifications.',
  params: inDeployment,
  query: v.pipe(
    strictObject({
      dashboardPublicId: v.optional(text),
      recipientUserId: v.optional(idIn),
      recipientEmail: v.optional(text),
      recipientEmbedTenantName: v.optional(text),
      recipientExternalId: v.optional(text),
    }),
    v.forward(
      v.check(
        (query) => (query.recipientEmbedTenantName === undefined) === (query.recipientExternalId === undefined),
        'recipientEmbedTenantName and recipientExternalId go together',
      ),
      ['recipientExternalId'],
    ),
  ),
  answer: listOf(notification),
});

/** Takes exactly one of `dashboardId` (number) and `dashboardPublicId` (text). See docs/platform-api.md#createnotification. */
export const createNotification = operation({
  id: 'createNotification',
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/notifications',
  tag,
  summary: 'Create a scheduled notification.',
  params: inDeployment,
  body: v.pipe(
    openBody({
      dashboardId: v.optional(v.number('must be a number')),
      dashboardPublicId: v.optional(text),
      ...notificationIn,
    }),
    v.forward(
      v.check(
        (body) => exactlyOne(body.dashboardId, body.dashboardPublicId),
        'exactly one of dashboardId and dashboardPublicId must be given',
      ),
      ['dashboardId'],
    ),
  ),
  answer: changed(notificationEntries),
});

/** See docs/platform-api.md#updatenotification. */
export const updateNotification = operation({
  id: 'updateNotification',
  method: 'PUT',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}',
  tag,
  summary: 'Change a scheduled notification.',
  params: oneNotification,
  body: openBody(notificationIn),
  answer: changed(notificationEntries),
});

/** See docs/platform-api.md#deletenotification. */
export const deleteNotification = operation({
  id: 'deleteNotification',
  method: 'DELETE',
  path: '/api/v1/deployments/{deploymentId}/notifications/{id}',
  tag,
  summary: 'Delete a scheduled notification.',
  params: oneNotification,
});
