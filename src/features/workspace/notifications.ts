import { deleteNotification, listNotifications, type Notification } from '#api/resources/notifications.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';

/** Filters notifications (docs/platform-api.md#listnotifications): all, or those of a dashboard or a recipient. */
export interface NotificationFilter {
  readonly dashboardPublicId?: string;
  readonly recipientEmail?: string;
  readonly recipientUserId?: string;
  readonly recipientEmbedTenantName?: string;
  readonly recipientExternalId?: string;
}

/** Reads the scheduled notifications that match a filter. Throws `UserError` if there are none. */
export async function notificationsOf(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  filter: NotificationFilter,
): Promise<readonly Notification[]> {
  const { data: all } = await data
    .client(accountId)
    .call(listNotifications, { params: { deploymentId }, query: filter });
  if (all.length === 0) throw new Hint('There is no such notification.');
  return all;
}

/** Deletes a notification (docs/platform-api.md#deletenotification). */
export async function removeNotification(
  data: PlatformData,
  { accountId, deploymentId }: DeploymentTarget,
  id: string,
): Promise<void> {
  await data.client(accountId).call(deleteNotification, { params: { deploymentId, id } });
}
