import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { dateIn, strictObject, text } from '#api/schema.ts';

/** Streams CSV; needs the audit log feature and the permission `AuditLogManage`. See docs/platform-api.md#exportauditlog. */
export const exportAuditLog = operation({
  id: 'exportAuditLog',
  method: 'GET',
  path: '/api/v1/audit-logs/export',
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
