import { own } from '#base/own.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { aiWidgets, attachThread as attachTo } from '#features/dashboards/ai-widgets.ts';
import {
  grantedAction,
  grantEmbedAccess,
  parseFilters,
  readEmbedAccess,
  runPythonOf,
  setSignedEmbedding,
} from '#features/dashboards/embedding.ts';
import type { WorkbookDeps } from './deps.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import { typeEmbedTenant } from '#features/platform/vscode/index.ts';
import type { Workbook } from '#features/dashboards/workbook.ts';

/** Asks for an AI widget of the dashboard and a chat thread, and attaches it. */
export async function attachThread(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const widgets = await aiWidgets(services.data, workbook);
  const items = widgets.map((widget) => ({ label: textOf(widget.id), widget }));
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: text`Which AI widget should show the thread?`,
  });
  if (!chosen) return;
  const { widget } = chosen;
  const widgetId = widget.id;
  const threadId = await askChecked({
    title: text`Chat Thread for ${widgetId}`,
    prompt: text`The id of the chat thread`,
    value: threadDrafts.get(widgetId),
    validate: (typed) => (typed.trim() === '' ? 'Enter the id of a chat thread.' : undefined),
  });
  if (threadId === undefined) return;
  threadDrafts.set(widgetId, threadId.trim());
  const { publicId, facts } = await attachTo(services.data, workbook, widget, threadId.trim());
  threadDrafts.delete(widgetId);
  if (publicId !== undefined) await stateStore(services.context.globalState).set(publicIdKey(workbook), publicId);
  const rest = facts.length === 0 ? '' : `. The dashboard: ${facts.join('; ').toLowerCase()}`;
  vscode.window.setStatusBarMessage(text`$(check) The thread is attached to “${widgetId}”${rest}`, 8000);
}

/** Thread ids that were typed in this window but could not be attached, by widget. */
const threadDrafts = new Map<string, string>();

const actionTitles: Readonly<Record<string, string>> = { read: 'Read', none: 'None' };
const actionLabels: Readonly<Record<string, string>> = {
  read: 'may see the dashboard',
  none: 'may not see the dashboard',
};

/** Asks for one embed tenant or all embed users, and grants or revokes their access. */
export async function changeEmbedAccess(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const access = await readEmbedAccess(services, workbook);
  const { tenants } = access;
  const who = await vscode.window.showQuickPick(
    [
      { label: text`All embed users`, description: textOf(grantedAction(access, undefined)), tenant: undefined },
      ...(tenants ?? []).map(({ name, displayName }) => ({
        label: textOf(displayName ?? name),
        description: textOf(grantedAction(access, name)),
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
    access.actions.map((action) => ({
      label: textOf(own(actionTitles, action) ?? action),
      description: textOf(own(actionLabels, action) ?? ''),
      action,
    })),
    { placeHolder: text`${who.label}: ${who.description} now` },
  );
  if (!picked) return;
  await grantEmbedAccess(services, workbook, tenant, picked.action);
  vscode.window.setStatusBarMessage(text`$(check) ${who.label}: ${picked.label}`, 5000);
}

const anotherTenant = {
  label: text`$(edit) An Embed Tenant…`,
  description: text`by its name`,
  tenant: undefined,
};

/** Asks whether signed sessions may embed the dashboard, and switches that on or off. */
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
  await setSignedEmbedding(services, workbook.target.accountId, publicId, picked.enabled);
  vscode.window.setStatusBarMessage(text`$(check) Signed embedding of “${workbook.name}”: ${picked.label}`, 5000);
}

/** Asks for a Python report and filters of the dashboard, runs it and shows its response. */
export async function runPython(services: WorkbookDeps, workbook: Workbook): Promise<void> {
  const publicId = await askPublicId(services, workbook);
  if (publicId === undefined) return;
  const reportId = await askChecked({
    title: text`Run Python Report`,
    step: 1,
    totalSteps: 2,
    prompt: text`ID of the Python report. Leave empty if the platform already knows which report to run.`,
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
      parseFilters(typed)
        ? undefined
        : 'Enter a JSON list of objects, for example [{"member": "orders.status", "operator": "equals", "values": ["paid"]}].',
  });
  if (filters === undefined) return;
  const answer = await runPythonOf(services.data, workbook.target.accountId, publicId, {
    filters: parseFilters(filters) ?? [],
    reportId: reportId.trim() === '' ? undefined : reportId.trim(),
  });
  const content = `${JSON.stringify(answer, undefined, 2)}\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Asks for a dashboard's public id. The API returns it only in links and in responses to changes, so the input is stored. */
async function askPublicId({ context }: WorkbookDeps, workbook: Workbook): Promise<string | undefined> {
  const [key, state] = [publicIdKey(workbook), stateStore(context.globalState)];
  const stored = state.get(key);
  const typed = await askChecked({
    title: text`Public ID of the Dashboard of ${workbook.name}`,
    prompt: text`The dashboard’s public id, as embed links name it.`,
    value: typeof stored === 'string' ? stored : '',
    validate: (value) => (/^[\w-]+$/.test(value.trim()) ? undefined : 'Enter letters, digits, - and _ only.'),
  });
  if (typed !== undefined) await state.set(key, typed.trim());
  return typed?.trim();
}

const publicIdKey = ({ target, id }: Workbook): string =>
  `dashboard.publicId.${JSON.stringify([target.accountId, target.deploymentId, id])}`;
