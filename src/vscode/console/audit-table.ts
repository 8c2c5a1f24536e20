import * as vscode from 'vscode';
import { auditLogCsv } from '#api/byte-stream.ts';
import type { Client } from '#api/client.ts';
import type { DataClient } from '#api/data.ts';
import { csvRows } from '#features/console/csv-rows.ts';
import { askChecked } from '../platform/checked-input.ts';
import type { ConsoleServices } from './deps.ts';
import { askRange } from './tokens-and-audit.ts';

interface Filters {
  readonly search?: string;
  readonly eventName?: string;
  readonly userEmail?: string;
}

/** Shows the audit log as a table that fills while it arrives: sorted by a click, copied, saved (management 4.8). */
export async function showAudit(services: ConsoleServices, accountId: string): Promise<void> {
  const range = await askRange('Show Audit Log');
  if (!range) return;
  const filters = await askFilters();
  if (!filters) return;
  const query = { ...range, ...filters };
  const account = services.accounts.get(accountId)?.label ?? accountId;
  const words = Object.values(query).join(' · ');
  (await services.chat()).showResults({
    sql: '',
    title: 'Audit Log',
    place: words === '' ? account : `${account} · ${words}`,
    client: { cubeSql: (_, options = {}) => auditBatches(services.data.client(accountId), query, options.signal) },
  });
}

async function askFilters(): Promise<Filters | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: 'Everything', field: undefined },
      { label: 'Of One Event…', description: 'for example user.created', field: 'eventName' as const },
      { label: 'Of One Person…', description: 'by e-mail address', field: 'userEmail' as const },
      { label: 'That Holds a Text…', description: '', field: 'search' as const },
    ],
    { title: 'Show Audit Log', placeHolder: 'Which events?' },
  );
  if (!picked) return undefined;
  if (picked.field === undefined) return {};
  const typed = await askChecked({
    title: 'Show Audit Log',
    prompt: picked.label.replace('…', ''),
    validate: (value) => (value.trim() === '' ? 'Enter what to look for, or press Esc.' : undefined),
  });
  return typed === undefined ? undefined : { [picked.field]: typed.trim() };
}

/** The first row names the columns. */
async function* auditBatches(
  client: Client,
  query: Filters,
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
