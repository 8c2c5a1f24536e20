import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { AuditQuery } from '#features/audit/audit-filter.ts';
import { type DateRange, parseDateRange } from '#shell/date-range.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';

/** Asks for the period and the events; `undefined` if the user cancels. */
export async function askAuditQuery(title: string): Promise<AuditQuery | undefined> {
  const range = await askRange(title);
  const filters = range && (await askFilters(title));
  return filters && { ...range, ...filters };
}

/** Asks for a range of days; an empty range means all events. */
export async function askRange(title: string): Promise<DateRange | undefined> {
  const typed = await askChecked({
    title,
    prompt: text`First and last date, for example 2026-01-01 2026-02-01. Leave empty for all events.`,
    validate: (text) => {
      const range = parseDateRange(text);
      return range.ok ? undefined : range.error;
    },
  });
  const range = typed === undefined ? undefined : parseDateRange(typed);
  return range?.ok === true ? range.value : undefined;
}

async function askFilters(title: string): Promise<Omit<AuditQuery, keyof DateRange> | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: text`Everything`, field: undefined },
      { label: text`By Event…`, description: text`for example user.created`, field: 'eventName' as const },
      { label: text`By User…`, description: text`by e-mail address`, field: 'userEmail' as const },
      { label: text`By Text…`, description: text``, field: 'search' as const },
    ],
    { title: textOf(title), placeHolder: text`Which events?` },
  );
  if (!picked) return undefined;
  if (picked.field === undefined) return {};
  const typed = await askChecked({
    title,
    prompt: picked.label.replace('…', ''),
    validate: (value) => (value.trim() === '' ? 'Enter a text to search for, or press Esc.' : undefined),
  });
  return typed === undefined ? undefined : { [picked.field]: typed.trim() };
}
