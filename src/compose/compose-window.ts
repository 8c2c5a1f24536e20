import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { Favourites } from '#features/platform/favourites.ts';
import { Operations } from '#shell/operations.ts';
import { QuestionQueue } from '#shell/question-queue.ts';
import { ReportOrderSetting } from '#features/platform/report-order.ts';
import { Windows } from '#features/platform/windows.ts';
import { errorBoundary } from '#shell/vscode/error-boundary.ts';
import { ExtensionLog } from '#shell/vscode/extension-log.ts';
import { showProgress } from '#shell/vscode/progress.ts';
import type { Redactor } from '#shell/vscode/redactor.ts';
import { secretStore, stateStore } from '#shell/vscode/stores.ts';
import type { ListServices, WindowServices } from './composed.ts';

/** Creates the services that every feature needs from its window; `redactor` keeps keys out of the log. */
export function windowServices(
  context: vscode.ExtensionContext,
  redactor: Redactor,
  store: DisposableStore,
): WindowServices {
  const logger = store.add(new ExtensionLog(redactor, context.logUri));
  return {
    context,
    logger,
    boundary: errorBoundary(logger),
    secrets: secretStore(context.secrets, redactor),
    isTrusted: workspaceTrust(store),
    operations: new Operations(showProgress),
    questions: new QuestionQueue(systemClock),
    windows: store.add(new Windows()),
  };
}

function workspaceTrust(store: DisposableStore): ReadonlyStore<boolean> {
  const trusted = store.add(new Store(vscode.workspace.isTrusted));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => trusted.set(true)));
  return trusted;
}

/** Creates the stores for the user's arrangement of lists. */
export function listServices({ globalState }: vscode.ExtensionContext, store: DisposableStore): ListServices {
  return {
    branchFilter: store.add(new Store('')),
    branchPages: store.add(new Store<ListServices['branchPages']['value']>(new Map())),
    favourites: store.add(new Favourites(stateStore(globalState))),
    reportOrder: store.add(new ReportOrderSetting(stateStore(globalState))),
  };
}
