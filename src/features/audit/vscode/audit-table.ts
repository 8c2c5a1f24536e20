import { auditLogCsv } from '#api/byte-stream.ts';
import type { Client } from '#api/client.ts';
import type { DataClient } from '#api/data.ts';
import { csvRows } from '#features/audit/csv-rows.ts';
import type { AuditDeps } from './deps.ts';
import { type AuditQuery, askAuditQuery } from './audit-query.ts';

/** Shows the audit log as a table that fills while it arrives: sorted by a click, copied, saved (docs/platform-api.md#exportauditlog). */
export async function showAudit(services: AuditDeps, accountId: string): Promise<void> {
  const query = await askAuditQuery('Show Audit Log');
  if (!query) return;
  const account = services.accounts.get(accountId)?.label ?? accountId;
  const words = Object.values(query).join(' · ');
  await services.showResults({
    sql: '',
    title: 'Audit Log',
    place: words === '' ? account : `${account} · ${words}`,
    client: { cubeSql: (_, options = {}) => auditBatches(services.data.client(accountId), query, options.signal) },
  });
}

/** The first row names the columns. */
async function* auditBatches(
  client: Client,
  query: AuditQuery,
  signal: AbortSignal | undefined,
): ReturnType<DataClient['cubeSql']> {
  let isFirst = true;
  for await (const rows of csvRows(auditLogCsv(client, query, { signal }))) {
    const [names = [], ...others] = rows;
    if (isFirst) yield { kind: 'schema', columns: names.map((name) => ({ name, type: 'string' })) };
    yield { kind: 'rows', rows: isFirst ? others : rows };
    isFirst = false;
  }
}
