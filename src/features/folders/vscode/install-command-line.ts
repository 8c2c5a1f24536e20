import { homedir } from 'node:os';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { installCommandLine } from './command-line-install.ts';
import type { SkillDeps } from './deps.ts';

/** Installs the program `modelbench` for this user, on the machine that the extension runs on. */
export async function installForUser({ context }: SkillDeps): Promise<void> {
  const { version } = context.extension.packageJSON as { readonly version: string };
  const { program, folder, isOnPath } = await installCommandLine({
    dist: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath,
    version,
    runtime: process.execPath,
    home: homedir(),
    platform: process.platform,
    variables: process.env,
  });
  void vscode.window.showInformationMessage(
    isOnPath
      ? text`Installed ${program}. Run “modelbench --help” in a new terminal.`
      : text`Installed ${program}. Add ${folder} to your PATH to run “modelbench”.`,
  );
}
