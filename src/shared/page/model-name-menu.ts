/**
 * Returns the attribute of an element that stands for a cube, view or member, by its full name: VS Code then offers the commands on
 * it in the element's context menu.
 */
export function modelNameMenu(modelName: string): { readonly 'data-vscode-context': string } {
  const context = { webviewSection: 'modelName', modelName, preventDefaultContextMenuItems: true };
  return { 'data-vscode-context': JSON.stringify(context) };
}
