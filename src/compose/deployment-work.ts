import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import type { AccountTarget, DeploymentTarget, TreeRow } from '#shell/targets.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import type { RemoteFileSystem } from '#features/folders/vscode/remote-file-system.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { AdminDocuments } from '#features/administration/vscode/admin-documents.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { adminScheme, objectScheme } from '#shell/view-ids.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import { openForm } from '#shell/vscode/documents/open-form.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { deploymentOrPick } from '#features/platform/vscode/pick.ts';
import { type Handler, type Handlers, selectedRows } from '#shell/vscode/register.ts';
import { pickAccount } from '#features/accounts/vscode/sign-in.ts';
import { usageLines, type ImpactReport, impactSummary } from '#features/lineage/report.ts';
import type { ImpactReview } from '#features/history/vscode/deps.ts';
import { review, reviewTexts } from '#features/lineage/impact-review.ts';
import { meaningOf } from '#features/lineage/model-meaning.ts';
import { openReview, type OpenReviewDeps, showReview } from '#features/lineage/vscode/open-review.ts';
import { type DashboardCommands, openDashboards } from '#features/dashboards/vscode/dashboards.ts';
import { exportAudit } from '#features/audit/vscode/audit-export.ts';
import { showAudit } from '#features/audit/vscode/audit-table.ts';
import { create as createDeployment } from '#features/deployments/vscode/create-deployment.ts';
import * as deployments from '#features/deployments/vscode/manage-deployment.ts';
import type { AuditDeps } from '#features/audit/vscode/deps.ts';
import type { ValidationDeps } from '#features/builds/vscode/deps.ts';
import type { DashboardDeps } from '#features/dashboards/vscode/deps.ts';
import type { CreateDeps, DbtSyncDeps } from '#features/deployments/vscode/deps.ts';

import type { LogDeps } from '#features/logs/vscode/deps.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/deps.ts';
import type { DropDeps, ItemDeps, RemoveDeps, SearchDeps } from '#features/workspace/vscode/deps.ts';
import { registerDocumentMarks } from '#shell/vscode/documents/document-marks.ts';
import { documentOf } from './restored-document.ts';
import { changeCreationStep, connectToGithub } from '#features/deployments/vscode/github.ts';
import * as items from '#features/workspace/vscode/item-commands.ts';
import { LogViews, showLogs } from '#features/logs/vscode/logs.ts';
import { search } from '#features/workspace/vscode/search.ts';
import { noTarget } from '#features/data/no-target.ts';
import { activeFolder } from '#features/data/vscode/choose-target.ts';
import { Playgrounds } from '#features/playground/vscode/playground.ts';
import type { PlaygroundDeps } from '#features/playground/vscode/deps.ts';
import { createToken } from '#features/deployments/vscode/metadata-token.ts';
import { validateOnPlatform } from '#features/builds/vscode/validate-model.ts';
import { openingOf } from '#features/workspace/open-items.ts';
import { type Chosen, chosenRows, itemOf } from '#features/workspace/organise-items.ts';
import * as workspace from '#features/workspace/vscode/organise-items.ts';
import type { OpenedDeploymentWork } from './opened-deployment-work.ts';

/** What working on deployments, the workspace, dashboards and logs needs: the sum of what each feature declares. */
export interface DeploymentWorkDeps
  extends
    DeploymentPickDeps,
    AuditDeps,
    ValidationDeps,
    DashboardDeps,
    CreateDeps,
    DbtSyncDeps,
    OpenReviewDeps,
    PlaygroundDeps,
    LogDeps,
    DropDeps,
    RemoveDeps,
    SearchDeps {
  readonly accounts: Accounts;
  readonly data: PlatformData;
  readonly remote: RemoteFileSystem;
  readonly branchFiles: BranchFiles;
}

/** The same with the documents of items. */
type Work = DeploymentWorkDeps & ItemDeps;

/** Makes what works on deployments; its code is a bundle of its own that is loaded with the first of its commands. */
export function openDeploymentWork(base: DeploymentWorkDeps): OpenedDeploymentWork {
  const store = new DisposableStore();
  const services: Work = { ...base, forms: store.add(new AdminDocuments(base, base.objects)) };
  const logs = store.add(new LogViews());
  store.add(registerDocumentMarks(base.objects));
  const dashboards = store.add(openDashboards(services));
  const playgrounds = store.add(new Playgrounds(services));
  store.add(
    base.accounts.all.onDidChange((all) => {
      const ids = new Set(all.map(({ id }) => id));
      logs.keepOnly(ids);
      playgrounds.keepOnly(ids);
    }),
  );
  return {
    commands: {
      ...deploymentHandlers(services, logs),
      ...itemHandlers(services),
      ...dashboards.commands,
      'modelbench.playground.open': async (given) => {
        const folder = activeFolder();
        const branch = given ?? services.session.active.value;
        if (await playgrounds.show({ folder, branch, isFixed: given !== undefined })) return;
        const picked = await deploymentOrPick(services, undefined);
        if (picked) await playgrounds.show({ folder, branch: picked });
      },
    },
    documentOf: (recipe, path) => documentOf(services, dashboards.drafts, recipe, path),
    showPlayground: async (opening) => {
      if (!(await playgrounds.show(opening))) throw noTarget();
    },
    restorePreview: dashboards.restorePreview,
    restoreLog: (panel, state) => logs.restore(services, panel, state),
    review: async (from, to) => {
      const report = await review(services, from, to);
      return shownReview(services, report);
    },
    reviewTexts: async (to, from, after) => {
      const report = await reviewTexts(services, to, { from, build: 'not built yet', after });
      return shownReview(services, report);
    },
    find: (question) => workspace.searchItem(services, { question }),
    drop: (rows, onto) => workspace.drop(services, rows, onto),
    dispose: () => store.dispose(),
  };
}

/** A report as questions and pages show it. */
function shownReview(services: Work, report: ImpactReport): ImpactReview {
  return {
    summary: impactSummary(report),
    lines: usageLines(report),
    model: meaningOf(report.model),
    show: async () => showReview(services, report),
  };
}

type DeploymentHandlers = Handlers<
  Omit<
    DeploymentWorkCommands,
    `modelbench.workspace.${string}` | `modelbench.dashboard.${string}` | `modelbench.playground.${string}`
  >
>;

function deploymentHandlers(services: Work, logs: LogViews): DeploymentHandlers {
  const onDeployment =
    (act: (services: Work, target: DeploymentTarget) => Promise<void>, changes: boolean): Handler<DeploymentTarget> =>
    async (given) => {
      if (changes) requireTrust(services);
      const target = await deploymentOrPick(services, given);
      if (target) await act(services, target);
    };
  const onAccount =
    (act: (services: Work, accountId: string) => Promise<void>): Handler<AccountTarget> =>
    async (given) => {
      const id = given?.accountId ?? (await pickAccount(services, 'Which account?'))?.id;
      if (id === undefined) throw new Hint('Sign in to a tenant first.', signIn);
      await act(services, id);
    };
  return {
    'modelbench.deployment.changeVersion': onDeployment(deployments.askVersion, true),
    'modelbench.deployment.editVariables': onDeployment(deployments.editVariables, true),
    'modelbench.deployment.showPods': onDeployment(deployments.showPods, false),
    'modelbench.deployment.showLogs': onDeployment(async (all, target) => showLogs(all, target, logs), false),
    'modelbench.deployment.dbtSync': onDeployment(deployments.dbtSync, true),
    'modelbench.deployment.delete': onDeployment(deployments.remove, true),
    'modelbench.deployment.connectGithub': onDeployment(connectToGithub, true),
    'modelbench.deployment.creationStep': onDeployment(changeCreationStep, true),
    'modelbench.notification.show': onDeployment(items.showNotifications, false),
    'modelbench.notification.create': onDeployment(items.createNotification, true),
    'modelbench.notification.delete': onDeployment(items.removeNotification, true),
    'modelbench.deployment.create': onAccount(async (all, id) => {
      requireTrust(all);
      await createDeployment(all, id);
    }),
    'modelbench.environment.createToken': async (given) => {
      const target = await deploymentOrPick(services, given);
      if (target) await createToken(services, target, given?.environmentId);
    },
    'modelbench.branch.review': async (target) => openReview(services, target),
    'modelbench.branch.validate': async (target) => validateOnPlatform(services, target),
    'modelbench.audit.export': onAccount(exportAudit),
    'modelbench.document.editFields': async (given) => {
      requireTrust(services);
      const uri = documentUri(given);
      if (!uri || ![objectScheme, adminScheme].includes(uri.scheme))
        throw new Hint('Open a JSON document of the platform first.');
      await openForm(uri);
    },
    'modelbench.audit.show': onAccount(showAudit),
  };
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;

function itemHandlers(
  services: Work,
): Pick<
  Handlers<DeploymentWorkCommands>,
  Exclude<
    keyof DeploymentWorkCommands,
    keyof DeploymentHandlers | keyof DashboardCommands | 'modelbench.playground.open'
  >
> {
  const onItems =
    (
      question: string,
      act: (services: Work, chosen: Chosen) => Promise<void>,
      type?: workspace.Sought['type'],
    ): Handler<TreeRow> =>
    async (row, selection) => {
      requireTrust(services);
      const chosen = await workspace.chosenItems(services, selectedRows(row, selection), { question, type });
      if (chosen) await act(services, chosen);
    };
  return {
    'modelbench.workspace.search': async () => search(services),
    'modelbench.workspace.move': onItems('Which report or workbook do you want to move?', workspace.move),
    'modelbench.workspace.delete': onItems('Which report or workbook do you want to delete?', workspace.remove),
    'modelbench.workspace.duplicate': onItems(
      'Which workbook do you want to duplicate?',
      workspace.duplicate,
      'WORKBOOK',
    ),
    'modelbench.workspace.edit': onItems('Which report or workbook do you want to edit?', items.edit),
    'modelbench.workspace.connectSpreadsheet': onItems(
      'Which report do you want to connect to a spreadsheet?',
      items.connectSpreadsheet,
      'REPORT',
    ),
    'modelbench.workspace.create': async (given) => {
      requireTrust(services);
      const target = await deploymentOrPick(services, given);
      if (target) await items.create(services, target);
    },
    'modelbench.workspace.rename': onItems('Which report or workbook do you want to rename?', items.rename),
    'modelbench.workspace.open': async (row) => open(services, row),
    'modelbench.workspace.copyId': async (row) => copyId(services, row),
  };
}

/** Opens what a click on a row stands for. */
async function open(services: Work, row: TreeRow | undefined): Promise<void> {
  const item = row && itemOf(row);
  const chosen = row && chosenRows([row]);
  if (!item || !chosen) throw new Hint('Choose a report or a workbook.');
  const { accountId } = chosen.target;
  const opening = openingOf(item, services.offers(accountId, 'getWorkbookDashboard'));
  if (opening !== 'nothing') return execute(openingCommands[opening], row);
  const action = {
    title: 'Open Tenant in Browser',
    command: 'modelbench.openInBrowser',
    argument: { accountId },
  } as const;
  throw new Hint(`“${item.name}” opens on the platform only.`, action);
}

const openingCommands = {
  dashboardPreview: 'modelbench.dashboard.preview',
  publishedDashboard: 'modelbench.dashboard.openPublished',
  document: 'modelbench.workspace.edit',
} as const;

async function copyId(services: SearchDeps, row: TreeRow | undefined): Promise<void> {
  const picked =
    (row && itemOf(row)) ??
    (await workspace.searchItem(services, { question: 'Which item’s id do you want to copy?' }))?.item;
  if (!picked) return;
  const choices = [
    { label: textOf(picked.id), description: text`id` },
    ...(picked.publicId === undefined
      ? []
      : [{ label: textOf(picked.publicId), description: text`public id or slug` }]),
  ];
  const choice =
    choices.length === 1
      ? choices[0]
      : await vscode.window.showQuickPick(choices, { placeHolder: textOf(picked.name) });
  if (!choice) return;
  await vscode.env.clipboard.writeText(choice.label);
  vscode.window.setStatusBarMessage('$(check) Copied', 3000);
}
