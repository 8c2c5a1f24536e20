import * as v from 'valibot';
import { operation } from './operation.ts';
import { dateIn, strictObject, text } from './schema.ts';

/** Management 4.8: CSV, streamed; needs the audit log feature and the permission `AuditLogManage`. */
export const exportAuditLog = operation({
  id: 'exportAuditLog',
  method: 'GET',
  path: '/api/v1/audit-logs/export',
  section: 'management 4.8',
  tag: 'Audit log',
  summary: 'Export audit-log events as CSV.',
  answerKind: 'csv',
  query: strictObject({
    start: v.optional(dateIn),
    end: v.optional(dateIn),
    search: v.optional(v.string()),
    eventName: v.optional(text),
    userEmail: v.optional(text),
  }),
});
