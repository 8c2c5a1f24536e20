import { exportAuditLog } from '#api/resources/audit.ts';
import type { Core } from '../core/core.ts';
import { forbidden } from '../core/refusal.ts';
import { requirePermission, route } from './route.ts';

interface EventRow {
  readonly id: number;
  readonly date: string;
  readonly event_name: string;
  readonly user_email: string;
  readonly deployment_id: number | null;
  readonly data: string;
}

interface Filters {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly search?: string | undefined;
  readonly eventName?: string | undefined;
  readonly userEmail?: string | undefined;
}

const rowsPerChunk = 500;
const header = 'date,eventName,userEmail,deploymentId,data\r\n';

export const auditRoutes = [
  route(exportAuditLog, ({ core, caller, query }) => {
    requirePermission(caller, 'AuditLogManage');
    const tenant = core.db.get('SELECT 1 FROM tenants WHERE id = ? AND audit_enabled = 1', caller.tenantId);
    if (tenant === undefined) throw forbidden('The audit log is switched off for this account.');
    return new Response(csvStream(core, caller.tenantId, query), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="audit-log.csv"',
      },
    });
  }),
];

/** The events as CSV (RFC 4180), read from the database while they are sent. */
function csvStream(core: Core, tenantId: number, filters: Filters): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const last = core.db.get<{ id: number }>('SELECT max(id) AS id FROM audit_events')?.id ?? 0;
  let after = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(header)),
    pull: (controller) => {
      const rows = core.db.all<EventRow>(
        'SELECT * FROM audit_events WHERE tenant_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?',
        tenantId,
        after,
        last,
        rowsPerChunk,
      );
      after = rows.at(-1)?.id ?? last;
      controller.enqueue(
        encoder.encode(
          rows
            .filter((row) => matches(row, filters))
            .map((row) => csvLine(row))
            .join(''),
        ),
      );
      if (rows.length < rowsPerChunk) controller.close();
    },
  });
}

function matches(row: EventRow, { start, end, search, eventName, userEmail }: Filters): boolean {
  const date = Date.parse(row.date);
  return (
    (start === undefined || date >= Date.parse(start)) &&
    (end === undefined || date <= endOf(end)) &&
    (eventName === undefined || row.event_name === eventName) &&
    (userEmail === undefined || row.user_email.toLowerCase() === userEmail.toLowerCase()) &&
    (search === undefined || row.data.toLowerCase().includes(search.toLowerCase()))
  );
}

/** A date without a time means the whole day. */
const endOf = (end: string): number => Date.parse(end) + (/^\d{4}-\d{2}-\d{2}$/.test(end) ? 86_400_000 - 1 : 0);

function csvLine(row: EventRow): string {
  const fields = [row.date, row.event_name, row.user_email, String(row.deployment_id ?? ''), row.data];
  return `${fields.map((field) => csvField(field)).join(',')}\r\n`;
}

/** Text that a spreadsheet would read as a formula is kept from being one. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
