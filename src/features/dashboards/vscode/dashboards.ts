import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { DisposableStore, type Disposable } from '#base/disposable.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import type { DeploymentTarget, DocumentTarget, TreeRow } from '#shell/targets.ts';
import { objectScheme } from '#shell/view-ids.ts';
import { requireTrust } from '#shell/trust.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import { type Handler, type Handlers, selectedRows } from '#shell/vscode/register.ts';
import type { DashboardDeps, WorkbookDeps } from './deps.ts';
import { chosenItems } from '#features/workspace/vscode/index.ts';
import { DashboardData } from '#features/dashboards/dashboard-data.ts';
import { DraftDocuments } from './draft-documents.ts';
import { LayoutPreviews } from './layout-previews.ts';
import { registerMemberCompletion, registerMemberHover } from './member-completion.ts';
import { registerMemberMarks } from './member-marks.ts';
import { publish } from './publish.ts';
import { chosenWorkbook, type Workbook } from '#features/dashboards/workbook.ts';
import * as workbooks from './workbook-commands.ts';

export type DashboardCommands = Pick<
  DeploymentWorkCommands,
  Extract<keyof DeploymentWorkCommands, `modelbench.dashboard.${string}`>
>;

/** Opens the dashboards feature: drafts as documents, their completion and layout previews, and the commands. */
export function openDashboards(services: DashboardDeps): Disposable & {
  readonly commands: Handlers<DashboardCommands>;
  readonly drafts: DraftDocuments;
  /** Fills a layout preview of an earlier window. */
  readonly restorePreview: (panel: vscode.WebviewPanel, state: unknown) => Promise<void>;
  /** Closes the layout previews of all other accounts. */
  readonly keepOnly: (accountIds: ReadonlySet<string>) => void;
} {
  const store = new DisposableStore();
  const data = new DashboardData(services.queries.queries);
  const drafts = store.add(new DraftDocuments(services.drafts));
  const previews = store.add(new LayoutPreviews(services.previews, drafts, data));
  const targetOf = (uri: vscode.Uri): DeploymentTarget | undefined => drafts.targetOf(uri);
  store.add(registerMemberCompletion(targetOf, data));
  store.add(registerMemberHover(targetOf, data));
  store.add(registerMemberMarks({ targetOf, data, logger: services.queries.logger }));
  const on =
    (act: (services: WorkbookDeps, workbook: Workbook) => Promise<unknown>): Handler<Given> =>
    async (given, selection) => {
      requireTrust(services);
      const workbook = await workbookOf(services, drafts, given, selection);
      if (workbook) await act(services.workbooks, workbook);
    };
  return {
    drafts,
    restorePreview: (panel, state) => previews.restore(panel, state),
    keepOnly: (accountIds) => previews.keepOnly(accountIds),
    commands: {
      'modelbench.dashboard.open': on((_, workbook) => drafts.open(workbook)),
      'modelbench.dashboard.openPublished': on((_, workbook) => drafts.openPublished(workbook)),
      'modelbench.dashboard.preview': async (given, selection) => {
        requireTrust(services);
        const opened = draftUri(given, drafts);
        if (opened) {
          await previews.show(opened);
          return;
        }
        const workbook = await workbookOf(services, drafts, given, selection);
        if (workbook) await previews.show(await drafts.open(workbook));
      },
      'modelbench.dashboard.publish': on((_, workbook) => publish(services.drafts, drafts, workbook)),
      'modelbench.dashboard.attachThread': on(workbooks.attachThread),
      'modelbench.dashboard.embedAccess': on(workbooks.changeEmbedAccess),
      'modelbench.dashboard.signedEmbedding': on(workbooks.switchEmbedding),
      'modelbench.dashboard.runPython': on(workbooks.runPython),
    },
    dispose: () => store.dispose(),
  };
}

/** A row of the Workspace view, or the draft of an editor's menu. */
type Given = TreeRow | DocumentTarget;

/** Returns the draft of an editor's menu, or of the active editor if the command came from the Command Palette. */
function draftUri(given: Given | undefined, drafts: DraftDocuments): vscode.Uri | undefined {
  if (given && 'kind' in given) return undefined;
  const uri = documentUri(given);
  if (uri?.scheme !== objectScheme) return undefined;
  if (drafts.workbookOf(uri)) return uri;
  if (given === undefined) return undefined;
  throw new Hint('Open the draft from the Workspace view first.');
}

function rowsOf(given: Given | undefined, selection: readonly Given[] | undefined): readonly TreeRow[] {
  return selectedRows(given, selection).filter((each) => 'kind' in each);
}

async function workbookOf(
  services: DashboardDeps,
  drafts: DraftDocuments,
  given: Given | undefined,
  selection: readonly Given[] | undefined,
): Promise<Workbook | undefined> {
  const opened = draftUri(given, drafts);
  const known = opened && drafts.workbookOf(opened);
  if (known) return known;
  const chosen = await chosenItems(services.search, rowsOf(given, selection), {
    question: 'Which workbook’s dashboard?',
    type: 'WORKBOOK',
  });
  return chosen && chosenWorkbook(services.search, chosen);
}
