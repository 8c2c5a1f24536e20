import type { AuditQuery } from '#features/audit/audit-filter.ts';
import { auditChoices, recentEvents, shownEvents } from '#features/audit/audit-log.ts';
import { askAuditFilter } from './ask-audit-filter.ts';
import type { AuditDeps } from './deps.ts';

/**
 * Shows the events of the last days, newest first, in a table with buttons for the period, user, event and text
 * (docs/platform-api.md#exportauditlog).
 */
export async function showAudit(services: AuditDeps, accountId: string): Promise<void> {
  let query: AuditQuery = recentEvents(Date.now());
  let note = '';
  await services.showResults({
    sql: '',
    title: 'Audit Log',
    source: services.accounts.get(accountId)?.label ?? accountId,
    accountId,
    client: shownEvents(
      services,
      accountId,
      () => query,
      (text) => {
        note = text;
      },
    ),
    choices: {
      all: () => auditChoices(query),
      note: () => note,
      choose: async (id) => {
        const changed = await askAuditFilter(query, id);
        query = changed ?? query;
        return changed !== undefined;
      },
    },
  });
}
