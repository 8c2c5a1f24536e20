import { DisposableStore } from '#base/disposable.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import type { AccountTarget, DeploymentTarget, DocumentTarget } from '#shell/targets.ts';
import { AdminDocuments } from '#features/administration/vscode/admin-documents.ts';
import { adminScheme, objectScheme } from '#shell/view-ids.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import { openForm } from '#shell/vscode/documents/open-form.ts';
import { requireTrust, type WindowTrust } from '#shell/trust.ts';
import { deploymentOrPick } from '#features/platform/vscode/pick.ts';
import type { Handler, Handlers } from '#shell/vscode/register.ts';
import { pickAccount } from '#features/accounts/vscode/sign-in.ts';
import { usageLines, type ImpactReport, impactSummary } from '#features/lineage/report.ts';
import type { ImpactReview } from '#features/history/vscode/deps.ts';
import { review, reviewTexts } from '#features/lineage/impact-review.ts';
import { modelDiffOf } from '#features/lineage/model-diff.ts';
import { openReview, type OpenReviewDeps, showReview } from '#features/lineage/vscode/open-review.ts';
import type { DashboardDeps } from '#features/dashboards/vscode/deps.ts';
import { openDashboards } from '#features/dashboards/vscode/dashboards.ts';
import { exportAudit } from '#features/audit/vscode/audit-export.ts';
import { showAudit } from '#features/audit/vscode/audit-table.ts';
import { create as createDeployment } from '#features/deployments/vscode/create-deployment.ts';
import * as deployments from '#features/deployments/vscode/manage-deployment.ts';
import type { ChangeDeps, SettingDeps } from '#features/deployments/vscode/deps.ts';
import type { DeploymentPickDeps } from '#features/platform/vscode/deps.ts';
import type { ItemDeps, SearchDeps } from '#features/workspace/vscode/deps.ts';
import { registerDocumentMarks } from '#shell/vscode/documents/document-marks.ts';
import { linkedModel } from './linked-model.ts';
import { documentOf } from './restored-document.ts';
import { changeCreationStep, connectToGithub } from '#features/deployments/vscode/github.ts';
import * as items from '#features/workspace/vscode/item-commands.ts';
import type { LogDeps } from '#features/logs/vscode/deps.ts';
import { LogViews, showLogs } from '#features/logs/vscode/logs.ts';
import { noTarget } from '#features/data/no-target.ts';
import type { EditReviewDeps } from '#features/review/vscode/index.ts';
import type { RenderTemplates } from '#model/templates/render-model.ts';
import { lazyQuerySaving } from '#features/data/vscode/lazy-saving.ts';
import type { PlaygroundDeps } from '#features/playground/vscode/deps.ts';
import type { EngineAdvice } from '#features/playground/ports.ts';
import { openPlayground } from '#features/playground/vscode/open-playground.ts';
import { Playgrounds } from '#features/playground/vscode/playground.ts';
import { createToken } from '#features/deployments/vscode/metadata-token.ts';
import { validateOnPlatform } from '#features/builds/vscode/validate-model.ts';
import { itemHandlers } from '#features/workspace/vscode/item-handlers.ts';
import { searchItem } from '#features/workspace/vscode/choose-items.ts';
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

/** Reading what a lost reply did needs the operations of the platform, which this bundle has. */
export { resolveLostReply } from '#api/lost-replies/lost-replies.ts';

/** The dependencies of the work on deployments, the workspace, dashboards and logs. */
export interface DeploymentWorkDeps {
  readonly window: WindowServices;
  readonly platform: PlatformServices;
  readonly capabilities: CapabilityServices;
  readonly sync: SyncServices;
  readonly branches: BranchServices;
  readonly favourites: ListServices['favourites'];
  readonly dataWork: DataWork;
}

/** The services to query the data API and show rows. */
interface DataWork {
  readonly queries: LazyQueries;
  readonly showResults: ShowResults;
  /** Advice about queries from the engine on this machine. */
  readonly advice: EngineAdvice;
  /** Renders templates. */
  readonly render: RenderTemplates;
  /** Shows edits of files before they are made. */
  readonly edits: EditReviewDeps;
}

/** Creates the services that work on deployments; their code is a bundle that the first of the commands loads. */
export function openDeploymentWork(base: DeploymentWorkDeps, objects: DocumentFiles): OpenedDeploymentWork {
  const { boundary, isTrusted, operations } = base.window;
  const { accounts, data } = base.platform;
  const store = new DisposableStore();
  const forms = store.add(new AdminDocuments({ capabilitiesOf: base.capabilities.capabilitiesOf, isTrusted }, objects));
  const { items, search, models, logDeps, picking } = groupsOf(base, objects, forms);
  const logs = store.add(new LogViews());
  store.add(registerDocumentMarks(objects));
  const dashboards = store.add(openDashboards(dashboardDeps(base, objects, search)));
  const playgrounds = store.add(new Playgrounds(playgroundDeps(base)));
  store.add(
    accounts.all.onDidChange((all) => {
      const ids = new Set(all.map(({ id }) => id));
      logs.keepOnly(ids);
      playgrounds.keepOnly(ids);
      dashboards.keepOnly(ids);
    }),
  );
  return {
    commands: {
      ...deploymentHandlers(base, {
        picking,
        items,
        models,
        showLog: async (target) => showLogs(logDeps, target, logs),
      }),
      ...itemHandlers({
        isTrusted,
        documents: items,
        moving: { boundary, data, favourites: base.favourites, operations },
        picking,
        searching: search,
      }),
      ...dashboards.commands,
      'modelbench.playground.open': async (given) => openPlayground(playgrounds, picking, given),
    },
    showPlayground: async (opening) => {
      if (!(await playgrounds.show(opening))) throw noTarget();
    },
    earlier: {
      documentOf: (recipe, path) =>
        documentOf({ items, variables: { data, objects } }, dashboards.drafts, recipe, path),
      restorePreview: dashboards.restorePreview,
      restoreLog: (panel, state) => logs.restore(logDeps, panel, state),
    },
    review: async (from, to) => {
      // The page of the step has just read both branches.
      const report = await review({ ...models, remote: { refresh: async () => Promise.resolve() } }, from, to);
      return shownReview(models, report, from.accountId);
    },
    reviewTexts: async (to, from, after) => {
      const report = await reviewTexts(models, to, { from, build: 'not built yet', after });
      return shownReview(models, report, to.accountId);
    },
    find: (question) => searchItem(search, { question }),
    drop: (rows, onto) =>
      workspace.drop({ boundary, data, favourites: base.favourites, isTrusted, operations }, rows, onto),
    dispose: () => store.dispose(),
  };
}

/** Groups the dependencies that several commands share. */
function groupsOf(
  { window, platform, capabilities, branches, dataWork }: DeploymentWorkDeps,
  objects: DocumentFiles,
  forms: AdminDocuments,
): {
  readonly items: ItemDeps;
  readonly search: SearchDeps;
  readonly models: OpenReviewDeps;
  readonly logDeps: LogDeps;
  readonly picking: DeploymentPickDeps;
} {
  const { boundary, context, isTrusted, logger, operations } = window;
  const { accounts, builds, connectWith, data, session } = platform;
  const { learnOffers, offers } = capabilities;
  const { branchFiles, remote } = branches;
  return {
    items: { accounts, data, forms, learnOffers, offers },
    search: { data, learnOffers, offers, session },
    models: { branchFiles, builds, data, objects, offers, operations, remote, render: dataWork.render, session },
    logDeps: { boundary, branchFiles, context, data, logger, remote, session },
    picking: { accounts, connectWith, data, isTrusted, session },
  };
}

function dashboardDeps(
  { window, platform, capabilities, dataWork }: DeploymentWorkDeps,
  objects: DocumentFiles,
  search: SearchDeps,
): DashboardDeps {
  const { boundary, context, isTrusted, logger } = window;
  const { data, session } = platform;
  return {
    isTrusted,
    search,
    queries: { data, logger, queries: dataWork.queries, session },
    drafts: { boundary, data, objects },
    previews: { boundary, context, logger },
    workbooks: { capabilitiesOf: capabilities.capabilitiesOf, context, data },
  };
}

function playgroundDeps({ window, platform, dataWork }: DeploymentWorkDeps): PlaygroundDeps {
  const { boundary, context, isTrusted, logger } = window;
  const { advice, edits, queries } = dataWork;
  const { builds, data, session } = platform;
  const saving: PlaygroundDeps['files']['saving'] = async (target, folder) => {
    const linked = target.kind === 'environment' ? session.foldersOf(target) : [];
    const own = linked.find(({ folderId }) => folderId === folder) ?? linked[0] ?? session.folder(folder);
    return lazyQuerySaving({ isTrusted }, linkedModel(own), folder);
  };
  return { advice, boundary, builds, context, data, files: { edits, saving }, logger, queries };
}

/** Converts a report for questions and pages. */
function shownReview(services: OpenReviewDeps, report: ImpactReport, accountId: string): ImpactReview {
  return {
    summary: impactSummary(report),
    lines: usageLines(report),
    model: modelDiffOf(report.model),
    show: async () => showReview(services, report, accountId),
  };
}

type DeploymentHandlers = Handlers<
  Omit<
    DeploymentWorkCommands,
    `modelbench.workspace.${string}` | `modelbench.dashboard.${string}` | `modelbench.playground.${string}`
  >
>;

/** The dependencies that the handlers share with other commands. */
interface OpenedWork {
  readonly picking: DeploymentPickDeps;
  readonly items: ItemDeps;
  readonly models: OpenReviewDeps;
  readonly showLog: (target: DeploymentTarget) => Promise<void>;
}

function deploymentHandlers(
  { window, platform, capabilities, sync, dataWork }: DeploymentWorkDeps,
  { picking, items: itemDeps, models, showLog }: OpenedWork,
): DeploymentHandlers {
  const { isTrusted, logger, operations } = window;
  const { accounts, builds, data, session } = platform;
  const { capabilitiesOf, learnOffers, offers } = capabilities;
  const changing: ChangeDeps = { data, operations };
  const described: SettingDeps = { capabilitiesOf, data };
  const onDeployment =
    (act: (target: DeploymentTarget) => Promise<void>, changes: boolean): Handler<DeploymentTarget> =>
    async (given) => {
      if (changes) requireTrust({ isTrusted });
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
    deployments.editVariables({ data, objects: models.objects }, target);
  return {
    'modelbench.deployment.changeVersion': onDeployment((target) => deployments.askVersion(described, target), true),
    'modelbench.deployment.editVariables': onDeployment(editVariables, true),
    'modelbench.deployment.showPods': onDeployment((target) => deployments.showPods({ data }, target), false),
    'modelbench.deployment.showLogs': onDeployment(showLog, false),
    'modelbench.deployment.dbtSync': onDeployment(
      (target) => deployments.dbtSync({ data, logger, operations }, target),
      true,
    ),
    'modelbench.deployment.delete': onDeployment((target) => deployments.remove(changing, target), true),
    'modelbench.deployment.connectGithub': onDeployment((target) => connectToGithub(changing, target), true),
    'modelbench.deployment.creationStep': onDeployment((target) => changeCreationStep(changing, target), true),
    'modelbench.notification.show': onDeployment((target) => items.showNotifications(itemDeps, target), false),
    'modelbench.notification.create': onDeployment((target) => items.createNotification(itemDeps, target), true),
    'modelbench.notification.delete': onDeployment((target) => items.removeNotification(itemDeps, target), true),
    'modelbench.deployment.create': onAccount(async (id) => {
      requireTrust({ isTrusted });
      await createDeployment({ data, operations, session }, id);
    }),
    'modelbench.environment.createToken': async (given) => {
      const target = await deploymentOrPick(picking, given);
      if (target) await createToken(described, target, given?.environmentId);
    },
    'modelbench.branch.review': async (target) => openReview(models, target),
    'modelbench.branch.validate': async (target) =>
      validateOnPlatform({ builds, data, learnOffers, offers, operations, session, syncs: sync.syncs }, target),
    'modelbench.audit.export': onAccount((id) => exportAudit(changing, id)),
    'modelbench.document.editFields': async (given) => editFields({ isTrusted }, given),
    'modelbench.audit.show': onAccount((id) =>
      showAudit({ accounts, data, operations, showResults: dataWork.showResults }, id),
    ),
  };
}

/** Opens a platform document as a form. */
async function editFields(trust: WindowTrust, given: DocumentTarget | undefined): Promise<void> {
  requireTrust(trust);
  const uri = documentUri(given);
  if (!uri || ![objectScheme, adminScheme].includes(uri.scheme)) {
    throw new Hint('Open a JSON document of the platform first.');
  }
  await openForm(uri);
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;
