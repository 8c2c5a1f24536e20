import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { DisposableStore } from '#base/disposable.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import type { AccountTarget, DeploymentTarget, TreeRow } from '#shell/targets.ts';
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
import type { CreateDeps, DbtSyncDeps, SettingDeps } from '#features/deployments/vscode/deps.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/deps.ts';
import type { ItemDeps, RemoveDeps, SearchDeps } from '#features/workspace/vscode/deps.ts';
import { registerDocumentMarks } from '#shell/vscode/documents/document-marks.ts';
import { documentOf } from './restored-document.ts';
import { changeCreationStep, connectToGithub } from '#features/deployments/vscode/github.ts';
import * as items from '#features/workspace/vscode/item-commands.ts';
import { LogViews, showLogs } from '#features/logs/vscode/logs.ts';
import { search } from '#features/workspace/vscode/search.ts';
import { noTarget } from '#features/data/no-target.ts';
import { activeFolder } from '#features/data/vscode/choose-target.ts';
import { Playgrounds } from '#features/playground/vscode/playground.ts';
import { createToken } from '#features/deployments/vscode/metadata-token.ts';
import { validateOnPlatform } from '#features/builds/vscode/validate-model.ts';
import { openingOf } from '#features/workspace/open-items.ts';
import { type Chosen, chosenRows, itemOf } from '#features/workspace/organise-items.ts';
import * as workspace from '#features/workspace/vscode/organise-items.ts';
import type { LazyQueries } from '#features/data/queries.ts';
import type { ShowResults } from '#shell/shown-query.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type {
  BranchServices,
  CapabilityServices,
  ListServices,
  PlatformServices,
  SyncServices,
  WindowServices,
} from './composed.ts';
import type { OpenedDeploymentWork } from './opened-deployment-work.ts';

/** What working on deployments, the workspace, dashboards and logs is made of. */
export interface DeploymentWorkDeps {
  readonly window: WindowServices;
  readonly platform: PlatformServices;
  readonly capabilities: CapabilityServices;
  readonly sync: SyncServices;
  readonly branches: BranchServices;
  readonly favourites: ListServices['favourites'];
  readonly dataWork: DataWork;
  readonly objects: DocumentFiles;
}

/** Asking the data API, and showing rows. */
interface DataWork {
  readonly queries: LazyQueries;
  readonly showResults: ShowResults;
}

/** Makes what works on deployments; its code is a bundle of its own that is loaded with the first of its commands. */
export function openDeploymentWork(base: DeploymentWorkDeps): OpenedDeploymentWork {
  const { window: host, platform, capabilities, branches, dataWork, objects } = base;
  const store = new DisposableStore();
  const forms = store.add(new AdminDocuments({ ...host, ...platform, ...capabilities }, objects));
  const items: ItemDeps = { ...platform, ...capabilities, forms };
  const logs = store.add(new LogViews());
  store.add(registerDocumentMarks(objects));
  const dashboards = store.add(openDashboards({ ...host, ...platform, ...capabilities, ...dataWork, objects }));
  const playgrounds = store.add(new Playgrounds({ ...host, ...platform, ...dataWork }));
  const models: OpenReviewDeps = { ...host, ...platform, ...capabilities, ...branches, objects };
  store.add(
    platform.accounts.all.onDidChange((all) => {
      const ids = new Set(all.map(({ id }) => id));
      logs.keepOnly(ids);
      playgrounds.keepOnly(ids);
    }),
  );
  return {
    commands: {
      ...deploymentHandlers(base, { items, logs, models }),
      ...itemHandlers(base, items),
      ...dashboards.commands,
      'modelbench.playground.open': async (given) => {
        const folder = activeFolder();
        const branch = given ?? platform.session.active.value;
        if (await playgrounds.show({ folder, branch, isFixed: given !== undefined })) return;
        const picked = await deploymentOrPick({ ...host, ...platform }, undefined);
        if (picked) await playgrounds.show({ folder, branch: picked });
      },
    },
    showPlayground: async (opening) => {
      if (!(await playgrounds.show(opening))) throw noTarget();
    },
    earlier: {
      documentOf: (recipe, path) => documentOf({ ...items, objects }, dashboards.drafts, recipe, path),
      restorePreview: dashboards.restorePreview,
      restoreLog: (panel, state) => logs.restore({ ...host, ...platform, ...branches }, panel, state),
    },
    review: async (from, to) => {
      const report = await review(models, from, to);
      return shownReview(models, report);
    },
    reviewTexts: async (to, from, after) => {
      const report = await reviewTexts(models, to, { from, build: 'not built yet', after });
      return shownReview(models, report);
    },
    find: (question) => workspace.searchItem({ ...platform, ...capabilities }, { question }),
    drop: (rows, onto) => workspace.drop({ ...host, ...platform, favourites: base.favourites }, rows, onto),
    dispose: () => store.dispose(),
  };
}

/** A report as questions and pages show it. */
function shownReview(services: OpenReviewDeps, report: ImpactReport): ImpactReview {
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

/** What handlers on deployments share with others. */
interface OpenedWork {
  readonly items: ItemDeps;
  readonly logs: LogViews;
  readonly models: OpenReviewDeps;
}

function deploymentHandlers(
  base: DeploymentWorkDeps,
  { items: itemDeps, logs, models }: OpenedWork,
): DeploymentHandlers {
  const { window: host, platform, capabilities, sync, branches, dataWork, objects } = base;
  const picking: DeploymentPickDeps = { ...platform, isTrusted: host.isTrusted };
  const changing: CreateDeps & DbtSyncDeps = { ...host, ...platform };
  const described: SettingDeps = { ...platform, ...capabilities };
  const onDeployment =
    (act: (target: DeploymentTarget) => Promise<void>, changes: boolean): Handler<DeploymentTarget> =>
    async (given) => {
      if (changes) requireTrust(host);
      const target = await deploymentOrPick(picking, given);
      if (target) await act(target);
    };
  const onAccount =
    (act: (accountId: string) => Promise<void>): Handler<AccountTarget> =>
    async (given) => {
      const id = given?.accountId ?? (await pickAccount(picking, 'Which account?'))?.id;
      if (id === undefined) throw new Hint('Sign in to a tenant first.', signIn);
      await act(id);
    };
  const editVariables = async (target: DeploymentTarget): Promise<void> =>
    deployments.editVariables({ ...platform, objects }, target);
  const openLog = async (target: DeploymentTarget): Promise<void> =>
    showLogs({ ...host, ...platform, ...branches }, target, logs);
  return {
    'modelbench.deployment.changeVersion': onDeployment((target) => deployments.askVersion(described, target), true),
    'modelbench.deployment.editVariables': onDeployment(editVariables, true),
    'modelbench.deployment.showPods': onDeployment((target) => deployments.showPods(platform, target), false),
    'modelbench.deployment.showLogs': onDeployment(openLog, false),
    'modelbench.deployment.dbtSync': onDeployment((target) => deployments.dbtSync(changing, target), true),
    'modelbench.deployment.delete': onDeployment((target) => deployments.remove(changing, target), true),
    'modelbench.deployment.connectGithub': onDeployment((target) => connectToGithub(changing, target), true),
    'modelbench.deployment.creationStep': onDeployment((target) => changeCreationStep(changing, target), true),
    'modelbench.notification.show': onDeployment((target) => items.showNotifications(itemDeps, target), false),
    'modelbench.notification.create': onDeployment((target) => items.createNotification(itemDeps, target), true),
    'modelbench.notification.delete': onDeployment((target) => items.removeNotification(itemDeps, target), true),
    'modelbench.deployment.create': onAccount(async (id) => {
      requireTrust(host);
      await createDeployment(changing, id);
    }),
    'modelbench.environment.createToken': async (given) => {
      const target = await deploymentOrPick(picking, given);
      if (target) await createToken(described, target, given?.environmentId);
    },
    'modelbench.branch.review': async (target) => openReview(models, target),
    'modelbench.branch.validate': async (target) =>
      validateOnPlatform({ ...host, ...platform, ...capabilities, syncs: sync.syncs }, target),
    'modelbench.audit.export': onAccount((id) => exportAudit(changing, id)),
    'modelbench.document.editFields': async (given) => {
      requireTrust(host);
      const uri = documentUri(given);
      if (!uri || ![objectScheme, adminScheme].includes(uri.scheme))
        throw new Hint('Open a JSON document of the platform first.');
      await openForm(uri);
    },
    'modelbench.audit.show': onAccount((id) => showAudit({ ...host, ...platform, ...dataWork }, id)),
  };
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;

function itemHandlers(
  { window: host, platform, capabilities, favourites }: DeploymentWorkDeps,
  itemDeps: ItemDeps,
): Pick<
  Handlers<DeploymentWorkCommands>,
  Exclude<
    keyof DeploymentWorkCommands,
    keyof DeploymentHandlers | keyof DashboardCommands | 'modelbench.playground.open'
  >
> {
  const searching: SearchDeps = { ...platform, ...capabilities };
  const moving: RemoveDeps = { ...host, ...platform, favourites };
  const onItems =
    (question: string, act: (chosen: Chosen) => Promise<void>, type?: workspace.Sought['type']): Handler<TreeRow> =>
    async (row, selection) => {
      requireTrust(host);
      const chosen = await workspace.chosenItems(searching, selectedRows(row, selection), { question, type });
      if (chosen) await act(chosen);
    };
  return {
    'modelbench.workspace.search': async () => search(searching),
    'modelbench.workspace.move': onItems('Which report or workbook do you want to move?', (chosen) =>
      workspace.move(moving, chosen),
    ),
    'modelbench.workspace.delete': onItems('Which report or workbook do you want to delete?', (chosen) =>
      workspace.remove(moving, chosen),
    ),
    'modelbench.workspace.duplicate': onItems(
      'Which workbook do you want to duplicate?',
      (chosen) => workspace.duplicate(platform, chosen),
      'WORKBOOK',
    ),
    'modelbench.workspace.edit': onItems('Which report or workbook do you want to edit?', (chosen) =>
      items.edit(itemDeps, chosen),
    ),
    'modelbench.workspace.connectSpreadsheet': onItems(
      'Which report do you want to connect to a spreadsheet?',
      (chosen) => items.connectSpreadsheet(platform, chosen),
      'REPORT',
    ),
    'modelbench.workspace.create': async (given) => {
      requireTrust(host);
      const target = await deploymentOrPick({ ...platform, ...host }, given);
      if (target) await items.create(itemDeps, target);
    },
    'modelbench.workspace.rename': onItems('Which report or workbook do you want to rename?', (chosen) =>
      items.rename(itemDeps, chosen),
    ),
    'modelbench.workspace.open': async (row) => open(capabilities, row),
    'modelbench.workspace.copyId': async (row) => copyId(searching, row),
  };
}

/** Opens what a click on a row stands for. */
async function open({ offers }: CapabilityServices, row: TreeRow | undefined): Promise<void> {
  const item = row && itemOf(row);
  const chosen = row && chosenRows([row]);
  if (!item || !chosen) throw new Hint('Choose a report or a workbook.');
  const { accountId } = chosen.target;
  const opening = openingOf(item, offers(accountId, 'getWorkbookDashboard'));
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
