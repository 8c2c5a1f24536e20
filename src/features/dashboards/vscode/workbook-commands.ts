import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { parsedJson } from '#base/json.ts';
import { getWorkbookDashboard, setAiWidgetThread } from '#api/dashboards.ts';
import { listEmbedTenants, runPythonReport, setDashboardEmbedding } from '#api/embed.ts';
import { isObject } from '#api/schema.ts';
import { embedAccessActions, getEmbedAccess, setEmbedAccess } from '#api/workbooks.ts';
import { offeredValues } from '#shell/offered-values.ts';
import { dashboardFacts } from '#features/platform/dashboard-facts.ts';
import { shownRows } from '#shell/shown-rows.ts';
import { UserError } from '#shell/user-error.ts';
import type { WorkbookDeps } from './deps.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { typeEmbedTenant } from '#features/platform/vscode/type-embed-tenant.ts';
import { followingClientOf } from '#shell/vscode/following-client.ts';
import type { Workbook } from './workbook.ts';

const paramsOf = ({ target, id }: Workbook) => ({ deploymentId: target.deploymentId, workbookId: id });

/** Attaches a chat thread to an AI widget of the dashboard (docs/platform-api.md#setaiwidgetthread). */
export async function attachThread(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const client = services.data.client(workbook.target.accountId);
  const { dashboardDraft, dashboardPublished } = await client.call(getWorkbookDashboard, {
    params: paramsOf(workbook),
  });
  const widgets = [...widgetsOf(dashboardDraft), ...widgetsOf(dashboardPublished)];
  const ai = widgets.filter(({ type }) => type === 'AI');
  const ids = [...new Set(ai.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])))];
  if (ids.length === 0) throw new UserError(`The dashboard of “${workbook.name}” has no widget of type AI.`);
  const items = ids.map((id) => ({ label: textOf(id), id }));
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: text`Which AI widget should show the thread?`,
  });
  if (!chosen) return;
  const widgetId = chosen.id;
  const threadId = await askChecked({
    title: text`Chat Thread for ${widgetId}`,
    prompt: text`The id of the chat thread`,
    value: threadDrafts.get(widgetId),
    validate: (typed) => (typed.trim() === '' ? 'Enter the id of a chat thread.' : undefined),
  });
  if (threadId === undefined) return;
  threadDrafts.set(widgetId, threadId.trim());
  const checksum = checksumOf(ai.find(({ id }) => id === widgetId));
  const body = { widgetId, threadId: threadId.trim(), checksum };
  const dashboard = await client.call(setAiWidgetThread, { params: paramsOf(workbook), body });
  threadDrafts.delete(widgetId);
  if (dashboard?.publicId !== undefined) {
    await services.context.globalState.update(publicIdKey(workbook), dashboard.publicId);
  }
  const facts = dashboardFacts(dashboard ?? {});
  const rest = facts.length === 0 ? '' : `. The dashboard: ${facts.join('; ').toLowerCase()}`;
  vscode.window.setStatusBarMessage(text`$(check) The thread is attached to “${widgetId}”${rest}`, 8000);
}

/** What was typed for widgets whose thread could not be attached, in this window. */
const threadDrafts = new Map<string, string>();

/** The checksum that a widget was read with: the platform can refuse the thread of a widget that changed meanwhile. */
function checksumOf(widget: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const config = widget?.['config'];
  const found = widget?.['checksum'] ?? (isObject(config) ? config['checksum'] : undefined);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function widgetsOf(dashboard: unknown): readonly Readonly<Record<string, unknown>>[] {
  const widgets = isObject(dashboard) ? dashboard['widgets'] : undefined;
  return Array.isArray(widgets) ? widgets.filter((widget) => isObject(widget)) : [];
}

const actionTitles: Readonly<Record<string, string>> = { read: 'Read', none: 'None' };
const actionWords: Readonly<Record<string, string>> = {
  read: 'may see the dashboard',
  none: 'may not see the dashboard',
};

/** Grants or revokes embedded access for one embed tenant or for all embed users (docs/platform-api.md#setembedaccess). */
export async function changeEmbedAccess(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const client = services.data.client(workbook.target.accountId);
  const params = paramsOf(workbook);
  // No fields of these lists are documented: what is not shown can be set all the same.
  const [grants, tenants, { description }] = await Promise.all([
    shownRows(async () => client.call(getEmbedAccess, { params })),
    shownRows(async () => client.call(listEmbedTenants, {})),
    services.capabilitiesOf(workbook.target.accountId),
  ]);
  const actionOf = (name: string | undefined): string => {
    const grant = grants?.find((each) =>
      name === undefined ? each.allEmbedUsers === true : each.embedTenantName === name,
    );
    return grant?.action ?? (grants === undefined ? 'not shown by the platform' : 'not set');
  };
  const who = await vscode.window.showQuickPick(
    [
      { label: text`All embed users`, description: textOf(actionOf(undefined)), tenant: undefined },
      ...(tenants ?? []).map(({ name, displayName }) => ({
        label: textOf(displayName ?? name),
        description: textOf(actionOf(name)),
        detail: textOf(displayName === undefined ? '' : name),
        tenant: name,
      })),
      ...(tenants === undefined ? [anotherTenant] : []),
    ],
    { placeHolder: text`Who sees the embedded dashboard of “${workbook.name}”?`, matchOnDetail: true },
  );
  const tenant = who === anotherTenant ? await typeEmbedTenant() : who?.tenant;
  if (!who || (who === anotherTenant && tenant === undefined)) return;
  const picked = await vscode.window.showQuickPick(
    offeredValues(description, setEmbedAccess, { body: 'action' }, embedAccessActions).map((action) => ({
      label: textOf(actionTitles[action] ?? action),
      description: textOf(actionWords[action] ?? ''),
      action,
    })),
    { placeHolder: text`${who.label}: ${who.description} now` },
  );
  if (!picked) return;
  const { action } = picked;
  const body = tenant === undefined ? { allEmbedUsers: true as const, action } : { embedTenantName: tenant, action };
  await followingClientOf(services, workbook.target.accountId).call(setEmbedAccess, { params, body });
  vscode.window.setStatusBarMessage(text`$(check) ${who.label}: ${picked.label}`, 5000);
}

const anotherTenant = {
  label: text`$(edit) An Embed Tenant…`,
  description: text`by its name`,
  tenant: undefined,
};

/** Switches signed embedding of the dashboard on or off (docs/platform-api.md#setdashboardembedding). */
export async function switchEmbedding(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const publicId = await askPublicId(services, workbook);
  if (publicId === undefined) return;
  const picked = await vscode.window.showQuickPick(
    [
      { label: text`On`, description: text`signed sessions may embed the dashboard`, enabled: true },
      { label: text`Off`, description: text`the dashboard cannot be embedded`, enabled: false },
    ],
    { placeHolder: text`Signed embedding of “${workbook.name}”` },
  );
  if (!picked) return;
  await followingClientOf(services, workbook.target.accountId).call(setDashboardEmbedding, {
    params: { publicId },
    body: { enabled: picked.enabled },
  });
  vscode.window.setStatusBarMessage(text`$(check) Signed embedding of “${workbook.name}”: ${picked.label}`, 5000);
}

/** Runs a Python report with filters of the dashboard applied and shows what it answers (docs/platform-api.md#runpythonreport). */
export async function runPython(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const publicId = await askPublicId(services, workbook);
  if (publicId === undefined) return;
  const reportId = await askChecked({
    title: text`Run Python Report`,
    step: 1,
    totalSteps: 2,
    prompt: text`Id of the Python report. Leave empty if the platform already knows which report to run.`,
    validate: () => undefined,
  });
  if (reportId === undefined) return;
  const filters = await askChecked({
    title: text`Run Python Report`,
    step: 2,
    totalSteps: 2,
    prompt: text`The dashboard’s filters as a JSON list.`,
    value: '[]',
    validate: (typed) =>
      readFilters(typed)
        ? undefined
        : 'Enter a JSON list of objects, for example [{"member": "orders.status", "operator": "equals", "values": ["paid"]}].',
  });
  if (filters === undefined) return;
  const body = {
    filters: [...(readFilters(filters) ?? [])],
    ...(reportId.trim() === '' ? {} : { reportId: reportId.trim() }),
  };
  const answer = await services.data
    .client(workbook.target.accountId)
    .call(runPythonReport, { params: { publicId }, body });
  const content = `${JSON.stringify(answer, undefined, 2)}\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, { preview: true });
}

function readFilters(typed: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  const filters = parsedJson(typed);
  return Array.isArray(filters) && filters.every((each) => isObject(each)) ? filters : undefined;
}

/** The documents give a dashboard's public id only in links and answers to changes: it is asked for once. */
async function askPublicId({ context }: WorkbookDeps, workbook: Workbook): Promise<string | undefined> {
  const key = publicIdKey(workbook);
  const typed = await askChecked({
    title: text`Public Id of the Dashboard of ${workbook.name}`,
    prompt: text`The dashboard’s public id, as embed links name it.`,
    value: context.globalState.get<string>(key) ?? '',
    validate: (value) => (/^[\w-]+$/.test(value.trim()) ? undefined : 'Enter letters, digits, - and _ only.'),
  });
  if (typed !== undefined) await context.globalState.update(key, typed.trim());
  return typed?.trim();
}

const publicIdKey = ({ target, id }: Workbook): string =>
  `dashboard.publicId.${JSON.stringify([target.accountId, target.deploymentId, id])}`;
