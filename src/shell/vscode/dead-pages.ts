import * as vscode from '#shell/vscode/guarded/vscode.ts';

/**
 * Closes the tabs of a type of page that an extension host left when it crashed: VS Code keeps them, but nothing answers their
 * buttons any more. Call it before the first page of this type is opened.
 */
export async function closeDeadPages(viewType: string): Promise<void> {
  const dead = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    // VS Code puts a prefix of its own before the type.
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType));
  if (dead.length > 0) await vscode.window.tabGroups.close(dead);
}
