import * as api from '#api/resources/notifications.ts';
import type { DashboardRow } from '../core/dashboards.ts';
import { invalid, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

interface NotificationRow {
  readonly id: number;
  readonly dashboard_id: number;
  readonly public_id: string;
  readonly data: string;
}

interface Recipient {
  readonly userId?: string | number;
  readonly email?: string;
  readonly embedTenantName?: string;
  readonly externalId?: string;
}

const query = `SELECT n.id, n.dashboard_id, n.data, d.public_id
  FROM notifications n JOIN dashboards d ON d.id = n.dashboard_id WHERE n.deployment_id = ?`;

type Place = Pick<Call, 'core' | 'deployment'>;

export const notificationRoutes = [
  route(api.listNotifications, ({ core, deployment, query: wanted }) => {
    const rows = core.db.all<NotificationRow>(`${query} ORDER BY n.id`, deployment.id);
    const toMatch: readonly ((recipient: Recipient) => boolean)[] = [
      ...(wanted.recipientUserId === undefined
        ? []
        : [({ userId }: Recipient) => String(userId) === String(wanted.recipientUserId)]),
      ...(wanted.recipientEmail === undefined
        ? []
        : [({ email }: Recipient) => email?.toLowerCase() === wanted.recipientEmail?.toLowerCase()]),
      ...(wanted.recipientEmbedTenantName === undefined
        ? []
        : [
            (recipient: Recipient) =>
              recipient.embedTenantName === wanted.recipientEmbedTenantName &&
              recipient.externalId === wanted.recipientExternalId,
          ]),
    ];
    const matching = rows.filter(
      (row) =>
        (wanted.dashboardPublicId === undefined || row.public_id === wanted.dashboardPublicId) &&
        toMatch.every((matches) => recipientsOf(row).some(matches)),
    );
    return { data: matching.map((row) => notificationJson(row)) };
  }),

  route(api.createNotification, (call) => {
    const { core, deployment, body } = call;
    const { dashboardId, dashboardPublicId, ...data } = body;
    const dashboard = core.db.get<DashboardRow>(
      `SELECT d.* FROM dashboards d JOIN workbooks w ON w.id = d.workbook_id
       WHERE w.deployment_id = ? AND (d.id = ? OR d.public_id = ?)`,
      deployment.id,
      dashboardId ?? null,
      dashboardPublicId ?? null,
    );
    if (dashboard === undefined) throw notFound(`Dashboard ${dashboardId ?? dashboardPublicId}`);
    checkRecipients(call, body.recipients);
    const { id } = core.db.run(
      'INSERT INTO notifications (deployment_id, dashboard_id, data, created_at) VALUES (?, ?, ?, ?)',
      deployment.id,
      dashboard.id,
      JSON.stringify({ enabled: true, recipients: [], filters: [], timeGrains: [], ...data }),
      core.now(),
    );
    record(call, 'notification.created', { id }, deployment.id);
    return notificationJson(find(call, id));
  }),

  route(api.updateNotification, (call) => {
    const row = find(call, call.params.id);
    checkRecipients(call, call.body.recipients);
    const data = { ...json(row.data), ...call.body };
    call.core.db.run('UPDATE notifications SET data = ? WHERE id = ?', JSON.stringify(data), row.id);
    record(call, 'notification.updated', { id: row.id }, call.deployment.id);
    return notificationJson(find(call, row.id));
  }),

  route(api.deleteNotification, (call) => {
    const row = find(call, call.params.id);
    call.core.db.run('DELETE FROM notifications WHERE id = ?', row.id);
    record(call, 'notification.deleted', { id: row.id }, call.deployment.id);
  }),
];

function find({ core, deployment }: Place, id: string | number): NotificationRow {
  const row = core.db.get<NotificationRow>(`${query} AND n.id = ?`, deployment.id, Number(id));
  if (row === undefined) throw notFound(`Notification ${id}`);
  return row;
}

/** A recipient is a user, an e-mail address or an embed user; a user must exist. */
function checkRecipients({ core, deployment }: Place, recipients: readonly unknown[] | undefined): void {
  for (const [at, value] of (recipients ?? []).entries()) {
    const recipient = value as Recipient;
    const embedded = recipient.embedTenantName !== undefined && recipient.externalId !== undefined;
    if (recipient.userId === undefined && recipient.email === undefined && !embedded) {
      throw invalid(`recipients.${at}: must have userId, email, or embedTenantName with externalId`);
    }
    const known =
      recipient.userId === undefined ||
      core.db.get('SELECT 1 FROM users WHERE id = ? AND tenant_id = ?', Number(recipient.userId), deployment.tenant_id);
    if (known === undefined) throw invalid(`recipients.${at}.userId: there is no such user`);
  }
}

const recipientsOf = (row: NotificationRow): readonly Recipient[] =>
  (json(row.data)['recipients'] as readonly Recipient[] | undefined) ?? [];

const notificationJson = (row: NotificationRow): object => ({
  ...json(row.data),
  id: String(row.id),
  dashboardId: row.dashboard_id,
  dashboardPublicId: row.public_id,
});
