import * as vscode from 'vscode';

/** What these suites read of `package.json`. */
interface Manifest {
  readonly contributes?: {
    readonly commands?: readonly { readonly command: string; readonly title: string }[];
    readonly views?: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
  };
}

const extensionId = 'modelbench.modelbench';

/** The extension under test and its manifest. */
export function theExtension(): { readonly extension: vscode.Extension<unknown>; readonly manifest: Manifest } {
  const extension = vscode.extensions.getExtension<unknown>(extensionId);
  if (!extension) throw new Error(`${extensionId} is not installed in this VS Code`);
  return { extension, manifest: extension.packageJSON as Manifest };
}
