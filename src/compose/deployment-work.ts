import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { UserError } from '#shell/user-error.ts';
import type { ConsoleCommands } from '#shell/commands/workspace-commands.ts';
import type { AccountTarget, DeploymentTarget, TreeRow } from '#shell/targets.ts';
import type { Accounts } from '#features/accounts/accounts.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import type { RemoteFileSystem } from '#features/folders/vscode/remote-file-system.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { AdminDocuments } from '#features/administration/vscode/admin-documents.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { deploymentOrPick } from '#features/platform/vscode/pick.ts';
import { type Handler, type Handlers, selectedRows } from '#shell/vscode/register.ts';
import { pickAccount } from '#features/accounts/vscode/sign-in.ts';
import { impactSummary } from '#features/lineage/report.ts';
import { openReview, review, reviewTexts, showReview } from '#features/lineage/vscode/impact-review.ts';
import { type DashboardCommands, openDashboards } from '#features/dashboards/vscode/dashboards.ts';
import { exportAudit } from '#features/audit/vscode/audit-export.ts';
import { showAudit } from '#features/audit/vscode/audit-table.ts';
import { create as createDeployment } from '#features/deployments/vscode/create-deployment.ts';
import * as deployments from '#features/deployments/vscode/manage-deployment.ts';
import type { AuditDeps } from '#features/audit/vscode/deps.ts';
import type { ValidationDeps } from '#features/builds/vscode/deps.ts';
import type { DashboardDeps } from '#features/dashboards/vscode/deps.ts';
import type { CreateDeps, DbtSyncDeps } from '#features/deployments/vscode/deps.ts';
import type { OpenReviewDeps } from '#features/lineage/vscode/deps.ts';
import type { LogDeps } from '#features/logs/vscode/deps.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/deps.ts';
import type { DropDeps, ItemDeps, RemoveDeps, SearchDeps } from '#features/workspace/vscode/deps.ts';
import { registerDocumentMarks } from '#shell/vscode/documents/document-marks.ts';
import { documentOf } from './restored-document.ts';
import { changeCreationStep, connectToGithub } from '#features/deployments/vscode/github.ts';
import * as items from '#features/workspace/vscode/item-commands.ts';
import { LogViews, showLogs } from '#features/logs/vscode/logs.ts';
import { search } from '#features/workspace/vscode/search.ts';
import { createToken } from '#features/deployments/vscode/metadata-token.ts';
import { validateOnPlatform } from '#features/builds/vscode/validate-model.ts';
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
  store.add(base.accounts.all.onDidChange((all) => logs.keepOnly(new Set(all.map(({ id }) => id)))));
  store.add(registerDocumentMarks(base.objects));
  const dashboards = store.add(openDashboards(services));
  return {
    commands: { ...deploymentHandlers(services, logs), ...itemHandlers(services), ...dashboards.commands },
    documentOf: (recipe, path) => documentOf(services, dashboards.drafts, recipe, path),
    restorePreview: dashboards.restorePreview,
    restoreLog: (panel, state) => logs.restore(services, panel, state),
    review: async (from, to) => {
      const report = await review(services, from, to);
      return { summary: impactSummary(report), show: async () => showReview(services, report) };
    },
    reviewTexts: async (to, from, after) => {
      const report = await reviewTexts(services, to, { from, build: 'not built yet', after });
      return { summary: impactSummary(report), show: async () => showReview(services, report) };
    },
    find: (question) => workspace.searchItem(services, { question }),
    drop: (rows, onto) => workspace.drop(services, rows, onto),
    dispose: () => store.dispose(),
  };
}

type DeploymentHandlers = Handlers<
  Omit<ConsoleCommands, `modelbench.workspace.${string}` | `modelbench.dashboard.${string}`>
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
      if (id === undefined) throw new UserError('Sign in to a tenant first.', signIn);
      await act(services, id);
    };
  return {
    'modelbench.deployment.changeVersion': onDeployment(deployments.changeVersion, true),
    'modelbench.deployment.editVariables': onDeployment(deployments.editVariables, true),
    'modelbench.deployment.showPods': onDeployment(deployments.showPods, false),
    'modelbench.deployment.showLogs': onDeployment((all, target) => showLogs(all, target, logs), false),
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
    'modelbench.audit.show': onAccount(showAudit),
  };
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;

function itemHandlers(
  services: Work,
): Pick<Handlers<ConsoleCommands>, Exclude<keyof ConsoleCommands, keyof DeploymentHandlers | keyof DashboardCommands>> {
  const onItems =
    (
      question: string,
      act: (services: Work, chosen: workspace.Chosen) => Promise<void>,
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
    'modelbench.workspace.copyId': async (row) => copyId(services, row),
  };
}

async function copyId(services: SearchDeps, row: TreeRow | undefined): Promise<void> {
  const picked =
    (row && workspace.itemOf(row)) ??
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
