import * as vscode from 'vscode';
import { getWorkbookDashboard, publishDashboard, updateWorkbookDashboard } from '#api/dashboards.ts';
import { isEqual } from '#base/equal.ts';
import { UserError } from '#features/user-error.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { confirm } from '../protection.ts';
import { type ConsoleServices, titleOf } from './deps.ts';
import type { Chosen } from './workspace-console.ts';

/** Opens the draft of a workbook's dashboard as JSON; saving replaces the draft (management 4.1). */
export async function openDashboard(services: ConsoleServices, chosen: Chosen): Promise<void> {
  const { target, id, name } = workbookOf(services, chosen);
  const params = { deploymentId: target.deploymentId, workbookId: id };
  const client = services.data.client(target.accountId);
  const read = async (): Promise<unknown> =>
    (await client.call(getWorkbookDashboard, { params })).dashboardDraft ?? emptyDashboard;
  let shown: unknown;
  await services.objects.open({
    path: `/${titleOf(services, target)} ${target.deploymentId}/${name.replaceAll('/', '-')}.dashboard.json`,
    read: async () => {
      shown = await read();
      return shown;
    },
    save: async (edited) => {
      // The draft has one place on the platform: another person's newer one is never replaced unseen.
      if (!isEqual(await read(), shown)) await confirmOverwrite(name);
      const saved = await client.call(updateWorkbookDashboard, {
        params,
        body: { dashboardDraft: edited as never },
      });
      shown = saved.dashboardDraft ?? edited;
      vscode.window.setStatusBarMessage(`$(check) Draft of “${name}” saved; it is not published yet`, 5000);
      return shown;
    },
  });
}

const emptyDashboard = { title: '', layout: { cols: { lg: 24 }, rowHeight: 30 }, widgets: [] };

async function confirmOverwrite(name: string): Promise<void> {
  const sure = await confirm({
    title: `The draft of “${name}” was changed on the platform meanwhile. Replace it?`,
    detail: 'To keep both, cancel, copy your change, and open the dashboard again.',
    button: 'Replace the Newer Draft',
    typed: undefined,
  });
  if (!sure) throw new UserError('Nothing was saved: the platform has a newer draft. The document keeps your change.');
}

/** Publishes the draft ◇: everybody who may see the dashboard sees it then. */
export async function publish(services: ConsoleServices, chosen: Chosen): Promise<void> {
  const { target, id, name } = workbookOf(services, chosen);
  const picked = await vscode.window.showQuickPick(
    [
      { label: 'Publish', allowEmbed: undefined },
      { label: 'Publish and allow embedding', allowEmbed: true },
      { label: 'Publish and forbid embedding', allowEmbed: false },
    ],
    { placeHolder: `Publish the draft of “${name}”?` },
  );
  if (!picked) return;
  await services.data.client(target.accountId).call(publishDashboard, {
    params: { deploymentId: target.deploymentId, workbookId: id },
    body: picked.allowEmbed === undefined ? {} : { allowEmbed: picked.allowEmbed },
  });
  vscode.window.setStatusBarMessage(`$(check) “${name}” is published`, 5000);
}

function workbookOf(
  { offers }: ConsoleServices,
  { target, items }: Chosen,
): { readonly target: DeploymentTarget; readonly id: string; readonly name: string } {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new UserError('Choose a workbook: dashboards belong to workbooks.');
  if (!offers(target.accountId, 'getWorkbookDashboard')) {
    throw new UserError('This platform’s description lists no way to read a dashboard.');
  }
  return { target, id: item.id, name: item.name };
}
