import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** The data that shows whether VS Code restores a page, and whether this window ran an extension host before. */
type PagesContext = Pick<vscode.ExtensionContext, 'extension' | 'workspaceState'>;

const sessionKey = 'pages.session';
/** The session id of every window without telemetry: windows cannot be distinguished by it. */
const noSession = 'someValue.sessionId';

/**
 * Closes the pages that an extension host left when it crashed: VS Code keeps their tabs, but nothing answers their buttons any
 * more. Call it at activation, before the first page is opened. The entry of its own bundle.
 *
 * Pages that VS Code restores are there after a reload of the window too, so they are only closed if this window is known to have
 * run another extension host; one with unsaved changes stays.
 */
export async function closeDeadPages({ extension, workspaceState }: PagesContext): Promise<void> {
  const { sessionId } = vscode.env;
  const isSameWindow = sessionId !== noSession && workspaceState.get(sessionKey) === sessionId;
  const { activationEvents } = extension.packageJSON as { readonly activationEvents: readonly string[] };
  const dead = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input, isDirty }) => {
      if (!(input instanceof vscode.TabInputWebview || input instanceof vscode.TabInputCustom)) return false;
      // VS Code puts a prefix of its own before the type of a web page.
      const type = input.viewType.replace(/^mainThreadWebview-/, '');
      const isRestored = activationEvents.some((event) => event.endsWith(`:${type}`));
      return type.startsWith('modelbench') && !isDirty && (isSameWindow || !isRestored);
    });
  await workspaceState.update(sessionKey, sessionId);
  if (dead.length > 0) await vscode.window.tabGroups.close(dead);
}
