import type { DocumentProblem } from '#shell/env-vars.ts';
import * as v from 'valibot';
import { dashboardConfigInput } from '#api/resources/dashboard-schema.ts';
import { isObject } from '#api/schema.ts';
import { isEqual } from '#base/equal.ts';
import type { JsonPath } from '#shell/json-text.ts';

/**
 * Returns all problems of a draft (docs/platform-api.md#dashboard-configuration), in the order of the document. A problem is only
 * a warning if one of `served` has the same value at its position: it came from the platform, which may accept more than is
 * documented.
 */
export function draftProblems(draft: unknown, ...served: readonly unknown[]): readonly DocumentProblem[] {
  // Valibot accepts an array as an object.
  if (!isObject(draft)) return [{ path: [], message: 'The dashboard must be an object', severity: 'error' }];
  const result = v.safeParse(dashboardConfigInput, draft);
  const broken = (result.issues ?? []).map((issue): DocumentProblem => {
    const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
    const isServed = served.some((each) => isUnchanged(draft, each, path));
    return { path, message: `${fieldOf(path)} ${issueText(issue)}`, severity: isServed ? 'warning' : 'error' };
  });
  return [...broken, ...repeatedIds(draft)];
}

/** Whether the value at `path` is the one that the platform returned; widgets are matched by id. */
function isUnchanged(draft: unknown, served: unknown, path: JsonPath): boolean {
  let [mine, theirs]: readonly unknown[] = [draft, served];
  for (const [at, step] of path.entries()) {
    const isList = Array.isArray(mine) && Array.isArray(theirs);
    if (!isList && !(isObject(mine) && isObject(theirs))) return false;
    const next = child(mine, step);
    theirs = isList && path[at - 1] === 'widgets' ? sameWidget(theirs, next) : child(theirs, step);
    mine = next;
  }
  return isEqual(mine, theirs);
}

function child(value: unknown, step: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[step];
}

function sameWidget(widgets: unknown, widget: unknown): unknown {
  const list: readonly unknown[] = Array.isArray(widgets) ? widgets : [];
  const id = isObject(widget) ? widget['id'] : undefined;
  return list.find((each) => (id === undefined ? isEqual(each, widget) : isObject(each) && each['id'] === id));
}

/** Summarizes the errors in one sentence, with the number of those that are left out. */
export function problemSummary(problems: readonly DocumentProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const shown = errors.slice(0, 3).map(({ message }) => message);
  const more = errors.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function fieldOf(path: JsonPath): string {
  const [first = 'The dashboard', ...rest] = path;
  return String(first) + rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

function issueText({ expected, received, message }: v.BaseIssue<unknown>): string {
  if (expected === 'never') return 'is not a field of a dashboard';
  if (received === 'undefined') return 'is missing';
  // Valibot's own message repeats the value and uses technical type names.
  return message.startsWith('Invalid ') ? `must be ${kinds[expected ?? ''] ?? expected ?? 'valid'}` : message;
}

const kinds: Readonly<Record<string, string>> = { Object: 'an object', Array: 'a list', string: 'text' };

function repeatedIds(draft: unknown): readonly DocumentProblem[] {
  const widgets = isObject(draft) && Array.isArray(draft['widgets']) ? draft['widgets'] : [];
  const seen = new Set<unknown>();
  return widgets.flatMap((widget: unknown, index): readonly DocumentProblem[] => {
    const id = isObject(widget) ? widget['id'] : undefined;
    if (typeof id !== 'string') return [];
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const message = `widgets[${index}].id: “${id}” is the id of another widget too`;
    return [{ path: ['widgets', index, 'id'], message, severity: 'warning' }];
  });
}
