import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { deployBranchOf } from '#features/platform/index.ts';
import type { LogTarget } from '#features/logs/log-feed.ts';
import { fileNamed, pathEndings } from '#features/logs/log-paths.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { LogPlaceDeps } from './deps.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';

/** Asks for a file and writes the shown lines to it. */
export async function saveLog(title: string, parts: AsyncIterable<string>): Promise<void> {
  const name = `${title.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').replaceAll(/\s+/g, ' ')}.log`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: 'Save Log As',
    filters: { Log: ['log', 'txt'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (!uri) return;
  const encoder = new TextEncoder();
  const bytes: Uint8Array[] = [];
  for await (const chunk of parts) bytes.push(encoder.encode(chunk));
  await vscode.workspace.fs.writeFile(uri, Buffer.concat(bytes));
  vscode.window.setStatusBarMessage('$(check) The log is saved', 5000);
}

/** Opens a file that a line mentions, from a linked folder or else from the deploy branch. */
export async function openLogPath(
  services: LogPlaceDeps,
  target: DeploymentTarget,
  { path, line, column }: LogTarget,
): Promise<void> {
  const uri = (await inLinkedFolder(services, target, path)) ?? (await onDeployBranch(services, target, path));
  if (!uri) throw new Hint(`There is no file “${path}”, neither in a linked folder nor on the deploy branch.`);
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), preview: false });
}

async function inLinkedFolder(
  { session }: LogPlaceDeps,
  target: DeploymentTarget,
  path: string,
): Promise<vscode.Uri | undefined> {
  for (const { folderId } of session.foldersOf(target)) {
    for (const ending of pathEndings(path)) {
      const uri = vscode.Uri.joinPath(vscode.Uri.parse(folderId), ending);
      if (await exists(uri)) return uri;
    }
  }
  return undefined;
}

async function onDeployBranch(
  { data, branchFiles, remote }: LogPlaceDeps,
  target: DeploymentTarget,
  path: string,
): Promise<vscode.Uri | undefined> {
  const branch = deployBranchOf(await data.of(target).branches.get());
  if (!branch) return undefined;
  const { accountId, deploymentId } = target;
  const location = { accountId, deploymentId, branchName: branch.name };
  const found = fileNamed([...(await branchFiles.list(location)).keys()], path);
  return found === undefined ? undefined : remote.uri(location, found);
}
