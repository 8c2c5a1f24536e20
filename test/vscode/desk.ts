import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listBranches } from '#api/resources/branches.ts';
import { filesOf, listDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import { getBuildStatus } from '#api/resources/runtime.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import { theExtension } from './extension.ts';
import { User, pick, press, type } from './user.ts';
import { startPlatform, type SuitePlatform } from './platform.ts';
import { until } from './until.ts';

const deployment = { deploymentId: '1' };

/** A user who is signed in at a platform of their own, with a folder that is linked to a deployment of it. */
export class Desk {
  readonly platform: SuitePlatform;
  readonly user: User;
  readonly folder: vscode.Uri;
  readonly #link: string;

  constructor(platform: SuitePlatform, user: User, folder: vscode.Uri) {
    this.platform = platform;
    this.user = user;
    this.folder = folder;
    this.#link = JSON.stringify({ tenant: platform.url, deployment: '1', modelPath: 'model' });
  }

  /** The folder, for commands that would ask where a window has several. */
  get target(): FolderTarget {
    return { folderId: this.folder.toString() };
  }

  readonly on = (branchName: string): BranchTarget => ({ accountId: this.platform.url, deploymentId: '1', branchName });

  /** Writes the link; again, because events of files are not reliable. */
  readonly link = async (): Promise<void> => this.write('modelbench.json', this.#link);

  /** Starts dev mode from the row of a branch; the one of production asks first. */
  async start(parent: string): Promise<void> {
    const answers = parent === 'main' ? [pick('main')] : [];
    await this.user.does('modelbench.devMode.start', this.on(parent), ...answers);
  }

  /** Starts dev mode and brings the branch's files here; answers the dev branch. */
  async startDevMode(parent: string): Promise<string> {
    const before = await this.heads();
    await this.start(parent);
    const [made = ''] = [...(await this.heads()).keys()].filter((name) => !before.has(name));
    // The link is found by a watcher: until then there is nothing to pull into.
    await this.until(async () => {
      await this.link();
      return (await this.user.does('modelbench.pullFiles', this.target)) === '';
    });
    await this.user.does('modelbench.plan.apply', undefined);
    return made;
  }

  /** The last commit of each branch. */
  async heads(): Promise<ReadonlyMap<string, string | undefined>> {
    const { data } = await this.platform.client.call(listBranches, { params: deployment });
    return new Map(data.map(({ name, lastHash }) => [name, lastHash]));
  }

  /** The build of a branch, by the platform's word. */
  async buildOf(branchName: string): Promise<string> {
    return (await this.platform.client.call(getBuildStatus, { params: deployment, query: { branchName } })).status;
  }

  async remote(branchName: string, path: string): Promise<string | undefined> {
    const query = { branchName, withContent: true };
    const files = filesOf(await this.platform.client.call(listDataModelFiles, { params: deployment, query }));
    return files.find((file) => file.path.replace(/^\//, '') === path)?.content;
  }

  /** Writes a file of a dev branch past the extension. */
  async putRemote(branchName: string, path: string, content: string): Promise<void> {
    const body = { branchName, files: [{ path, content }] };
    await this.platform.client.call(writeDataModelFiles, { params: deployment, body });
  }

  /** A colleague commits to a shared or the deploy branch (`null` deletes a file). */
  async colleague(branch: string, files: Readonly<Record<string, string | null>>): Promise<void> {
    await this.platform.faults([{ kind: 'colleagueCommit', deploymentId: 1, branch, files, times: 1 }]);
    await this.heads();
    await this.platform.faults([]);
  }

  async write(path: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(this.folder, path), new TextEncoder().encode(text));
  }

  async read(path: string): Promise<string> {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.folder, path)));
  }

  /** Changes a file on the disk and pushes it: no document is opened, which would have to hear of later changes. */
  async change(path: string, change: (text: string) => string): Promise<void> {
    await this.write(path, change(await this.read(path)));
    await this.user.does('modelbench.push', this.target);
  }

  /** Changes a file in an editor and saves it. */
  async edit(path: string, change: (text: string) => string): Promise<void> {
    const uri = vscode.Uri.joinPath(this.folder, path);
    const document = await vscode.workspace.openTextDocument(uri);
    const editing = new vscode.WorkspaceEdit();
    const text = change(document.getText());
    editing.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(editing);
    assert.equal(await document.save(), true);
    assert.equal(document.getText(), text);
  }

  /** As `until`. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    await until(isSo);
  }

  /** Signs out and clears away. */
  async leave(): Promise<void> {
    await this.user.does('modelbench.signOut', { accountId: this.platform.url }, press('Sign Out'));
    await vscode.workspace.fs.delete(this.folder, { recursive: true });
    this.user.leave();
    this.platform.stop();
  }
}

/** Sits down at a fresh platform; the folder is one of the first workspace folder. */
export async function sitDown(name: string): Promise<Desk> {
  await theExtension().extension.activate();
  const platform = await startPlatform();
  const user = new User();
  await user.does('modelbench.signIn', undefined, type(platform.url), type(platform.apiKey));
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root, 'a folder is open');
  const desk = new Desk(platform, user, vscode.Uri.joinPath(root.uri, name));
  await desk.link();
  await user.does('modelbench.selectDeployment', { accountId: platform.url, deploymentId: '1' });
  return desk;
}
