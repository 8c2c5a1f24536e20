import { baseName } from '#base/path.ts';
import { Hint } from '#shell/user-error.ts';
import { shortId } from '#shell/short-id.ts';
import { apiScheme, proposalScheme, remoteScheme, versionScheme } from '#shell/view-ids.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Services } from './composed.ts';

/** What is needed to know whose data an editor shows. */
type EditorDeps = Pick<Services, 'platform' | 'sync'>;

type IsTheirs = (uri: vscode.Uri) => boolean;

/**
 * Closes the editors that show data of accounts that are signed out. Those with unsaved changes stay, so that the changes can be
 * copied; reviews, tables and other pages close themselves.
 */
export async function closeEditorsOf(deps: EditorDeps, accountIds: readonly string[]): Promise<void> {
  const theirs = accountIds.map((id) => documentsOf(deps, id));
  const isTheirs: IsTheirs = (uri) => theirs.some((each) => each(uri));
  const loaded = [...deps.platform.owners].flatMap((documents) => documents.loaded).filter(isTheirs);
  const shows = (tab: vscode.Tab): boolean => urisOf(tab).some(isTheirs) || loaded.some((uri) => previews(tab, uri));
  await vscode.window.tabGroups.close(allTabs().filter((tab) => !tab.isDirty && shows(tab)));
  // Not every host says what an editor with several differences shows.
  const isLeft = vscode.workspace.textDocuments.some((each) => !each.isDirty && isTheirs(each.uri));
  if (isLeft) await vscode.window.tabGroups.close(allTabs().filter(showsSeveral));
  const shown = new Set(allTabs().flatMap((tab) => urisOf(tab).map(String)));
  for (const uri of loaded.filter((each) => !shown.has(each.toString())))
    for (const documents of deps.platform.owners) documents.drop(uri);
}

/**
 * Ends what an account has begun and not finished, before its data is erased: VS Code asks whether to save the documents with unsaved
 * changes, and closes them. Resolves to `false` if the user cancels. Throws `Hint` if the local version of a merge would be lost.
 */
export async function endUnfinished(deps: EditorDeps, accountId: string): Promise<boolean> {
  for (const folder of deps.platform.session.links.value) {
    if (deps.platform.session.targetOf(folder)?.accountId !== accountId) continue;
    requireNoMerge(deps, folder.folderId, 'its local version would be erased');
  }
  const isTheirs = documentsOf(deps, accountId);
  const unsaved = allTabs().filter((tab) => tab.isDirty && urisOf(tab).some(isTheirs));
  return unsaved.length === 0 || vscode.window.tabGroups.close(unsaved);
}

/** Throws `Hint` if a merge in a folder is not finished; `why` is the reason why it must be. */
export function requireNoMerge({ sync }: Pick<EditorDeps, 'sync'>, folderId: string, why: string): void {
  const [path] = sync.merges.paths(folderId);
  if (path === undefined) return;
  throw new Hint(`The merge of “${baseName(path)}” is not finished, and ${why}. Finish or undo the merge first.`, {
    title: 'Open Merge',
    command: 'modelbench.conflict.merge',
    argument: { folderId, path },
  });
}

/** Returns whether a document shows data of an account. */
function documentsOf(deps: EditorDeps, accountId: string): IsTheirs {
  const id = shortId(accountId);
  return (uri) => {
    switch (uri.scheme) {
      case remoteScheme:
        return uri.authority.endsWith(`.${id}`);
      case apiScheme:
        return uri.path.startsWith(`/${id}/`);
      case proposalScheme:
        return uri.query.endsWith(` ${id}`);
      case versionScheme:
        return isVersionOf(deps, uri, accountId);
      default:
        return [...deps.platform.owners].some((documents) => documents.ownerOf(uri) === accountId);
    }
  };
}

/** Whether it is a version on a branch of the account, or of a folder that has no other account. */
function isVersionOf({ platform: { session } }: EditorDeps, { query }: vscode.Uri, accountId: string): boolean {
  const { branch, folder = '' } = JSON.parse(query) as {
    readonly branch?: { readonly accountId: string };
    readonly folder?: string;
  };
  if (branch) return branch.accountId === accountId;
  const linked = session.folder(folder);
  const owner = linked && session.targetOf(linked)?.accountId;
  return folder !== '' && (owner === undefined || owner === accountId);
}

const allTabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);

function urisOf({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return [input.uri];
  return differencesIn(input).flatMap(({ original, modified }) => [original, modified]);
}

/** Returns the differences that a tab shows. The stable API does not name the input of several, which hosts may give all, none or no list. */
function differencesIn(input: unknown): readonly vscode.TabInputTextDiff[] {
  if (input instanceof vscode.TabInputTextDiff) return [input];
  const { textDiffs = [] } = (input ?? {}) as { readonly textDiffs?: readonly vscode.TabInputTextDiff[] };
  return textDiffs;
}

/** Whether a tab may show a document rendered: VS Code names it only in the label. */
function previews({ input, label }: vscode.Tab, { path }: vscode.Uri): boolean {
  const isPreview = input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview');
  return isPreview && path.endsWith('.md') && label.endsWith(baseName(path));
}

/** Whether it may be an editor with several differences that the host does not give: VS Code names their number in its label. */
const showsSeveral = ({ input, isDirty, label }: vscode.Tab): boolean =>
  !isDirty && (input === undefined || isEmptyList(input)) && / files?\)$/.test(label);

const isEmptyList = (input: unknown): boolean =>
  (input as { readonly textDiffs?: readonly unknown[] }).textDiffs?.length === 0;
