import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { asError } from '#base/async.ts';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { memberProblems, namesMembers } from '#features/dashboards/members.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { problemAt, rangeIn } from '#shell/vscode/marks.ts';
import type { DashboardData } from '#features/dashboards/dashboard-data.ts';

/** How long to wait after the last edit before names are checked, in milliseconds. */
const restMs = 400;

interface MarkDeps {
  /** Returns the deployment of a draft; `undefined` for other documents. */
  readonly targetOf: (uri: vscode.Uri) => DeploymentTarget | undefined;
  readonly data: Pick<DashboardData, 'members'>;
  readonly logger: Logger;
}

/** Marks names in the widgets of open drafts that the data model does not have: as warnings, because config is free-form. */
export function registerMemberMarks(deps: MarkDeps): Disposable {
  const store = new DisposableStore();
  const marks = store.add(vscode.languages.createDiagnosticCollection('modelbench-dashboard-members'));
  const rests = new Map<string, NodeJS.Timeout>();
  const check = (document: vscode.TextDocument): void => {
    rests.delete(document.uri.toString());
    mark(deps, marks, document).catch((error: unknown) => {
      deps.logger.warn('Names in a dashboard were not checked', { reason: asError(error).message });
    });
  };
  const forget = ({ uri }: vscode.TextDocument): void => {
    clearTimeout(rests.get(uri.toString()));
    rests.delete(uri.toString());
  };
  store.add(vscode.workspace.onDidOpenTextDocument(check));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || !deps.targetOf(document.uri)) return;
      forget(document);
      rests.set(
        document.uri.toString(),
        setTimeout(() => check(document), restMs),
      );
    }),
  );
  store.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      forget(document);
      marks.delete(document.uri);
    }),
  );
  store.add(toDisposable(() => rests.forEach((rest) => clearTimeout(rest))));
  return store;
}

async function mark(
  { targetOf, data }: MarkDeps,
  marks: vscode.DiagnosticCollection,
  document: vscode.TextDocument,
): Promise<void> {
  const target = targetOf(document.uri);
  if (!target) return;
  const members = namesMembers(document.getText()) ? await data.members(target) : [];
  // The text may have changed, or the document closed, while the model was loading.
  if (document.isClosed) return;
  const found = memberProblems(document.getText(), members).map(({ range, message }) =>
    problemAt(rangeIn(document, range), message, 'warning'),
  );
  marks.set(document.uri, found);
}
