import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import type { AuditQuery } from '#features/audit/audit-filter.ts';
import { recentEvents } from '#features/audit/audit-log.ts';
import type { DateRange } from '#shell/date-range.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { askRange } from './audit-query.ts';

const title = 'Audit Log';

/** Asks for another period, user, event or text; an empty input removes the filter. `undefined`: nothing changes. */
export async function askAuditFilter(query: AuditQuery, id: string): Promise<AuditQuery | undefined> {
  const { start: _, end: __, ...filters } = query;
  switch (id) {
    case 'period': {
      const range = await askPeriod();
      return range && { ...range, ...filters };
    }
    case 'userEmail':
    case 'eventName':
    case 'search': {
      const typed = await askText(id, query[id] ?? '');
      if (typed === undefined) return undefined;
      const { [id]: ___, ...others } = query;
      return typed === '' ? others : { ...others, [id]: typed };
    }
    default:
      return undefined;
  }
}

const between = 'between';

async function askPeriod(): Promise<DateRange | undefined> {
  const now = Date.now();
  const picked = await vscode.window.showQuickPick(
    [
      { label: text`Last 7 Days`, range: recentEvents(now, 7) },
      { label: text`Last 30 Days`, range: recentEvents(now, 30) },
      { label: text`Last 90 Days`, range: recentEvents(now, 90) },
      { label: text`All Events`, range: {} },
      { label: text`Between Two Dates…`, range: between } as const,
    ],
    { title: text`${title}`, placeHolder: text`Which period do you want to see?` },
  );
  return picked?.range === between ? askRange(title) : picked?.range;
}

const prompts = {
  userEmail: 'The e-mail address of a user. Leave empty for all users.',
  eventName: 'The name of an event, for example user.created. Leave empty for all events.',
  search: 'A text that the events contain. Leave empty for all events.',
} as const;

async function askText(field: keyof typeof prompts, value: string): Promise<string | undefined> {
  const typed = await askChecked({ title, prompt: prompts[field], value });
  return typed?.trim();
}
