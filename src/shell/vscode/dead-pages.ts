import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type DisposableStore, toDisposable } from '#base/disposable.ts';
import { type UserText, text } from '#base/user-text.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { type HostContext, isRestartedHost } from './restarted-host.ts';

/** The data that shows which pages VS Code restores. */
type PagesContext = HostContext & { readonly extension: Pick<vscode.Extension<unknown>, 'packageJSON'> };

/**
 * Ends the pages that an extension host left when it crashed or was restarted: VS Code keeps their tabs, but nothing answers their
 * buttons any more. Call it at activation, before the first page is opened. The entry of its own bundle.
 *
 * Pages that VS Code never restores are closed. The others are there after a reload of the window too, where VS Code restores them
 * with what was typed into them. So after a restart they stay, and the user is offered to reload the window. The promise does not
 * wait for that.
 */
export async function endDeadPages(context: PagesContext, store: DisposableStore): Promise<void> {
  const { activationEvents } = context.extension.packageJSON as { readonly activationEvents: readonly string[] };
  const pages = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => pageType(tab) !== undefined);
  const isRestored = (tab: vscode.Tab): boolean =>
    activationEvents.some((event) => event.endsWith(`:${pageType(tab)}`));
  const dead = pages.filter((tab) => !isRestored(tab));
  if (dead.length > 0) await vscode.window.tabGroups.close(dead);
  void report(context, pages.filter(isRestored), store);
}

/** Returns the type of the extension's page that a tab shows. */
function pageType({ input }: vscode.Tab): string | undefined {
  if (!(input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom)) return undefined;
  // VS Code puts a prefix of its own before the type of a web page.
  const type = input.viewType.replace(/^mainThreadWebview-/, '');
  return type.startsWith('modelbench') ? type : undefined;
}

/** Tabs have no ids, and VS Code makes new objects for them when a group is added. */
const keyOf = (tab: vscode.Tab): string => `${pageType(tab)} ${tab.label}`;

async function report(context: PagesContext, pages: readonly vscode.Tab[], store: DisposableStore): Promise<void> {
  const ended = new AbortController();
  store.add(toDisposable(() => ended.abort()));
  const dead = new Map(pages.map((tab) => [keyOf(tab), tab.label]));
  // A page that was closed or opened again meanwhile is not dead any more.
  const following = vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
    for (const tab of [...opened, ...closed]) dead.delete(keyOf(tab));
  });
  store.add(following);
  if (!(await isRestartedHost(context, systemClock, ended.signal)) || dead.size === 0) {
    store.delete(following);
    return;
  }
  const offer = offering(dead);
  store.add(
    vscode.window.tabGroups.onDidChangeTabs(({ changed }) => {
      if (changed.some((tab) => tab.isActive && dead.has(keyOf(tab)))) void offer();
    }),
  );
  void offer();
}

/** Returns a function that offers to reload the window, unless it does so already. */
function offering(dead: ReadonlyMap<string, string>): () => Promise<void> {
  let isOffered = false;
  return async () => {
    if (isOffered || dead.size === 0) return;
    isOffered = true;
    const answer = await vscode.window.showWarningMessage(notice([...dead.values()]), 'Reload Window');
    isOffered = false;
    if (answer !== undefined) await executeBuiltIn('workbench.action.reloadWindow');
  };
}

function notice(labels: readonly string[]): UserText {
  const [label = ''] = labels;
  return labels.length === 1
    ? text`“${label}” no longer responds because the extension host restarted. Reload the window to restore it.`
    : text`${labels.length} pages of Modelbench no longer respond because the extension host restarted. Reload the window to restore them.`;
}
