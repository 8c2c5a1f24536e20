import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { baseName } from '#base/path.ts';
import { Sequencer } from '#base/async.ts';
import type { DisposableStore } from '#base/disposable.ts';
import { type LinkedFolder, linkFileName, parseLink } from '#features/platform/index.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { LinkedFoldersDeps } from './deps.ts';

/** The most links to find in a workspace. */
const mostLinks = 50;

/** Finds `modelbench.json` files in the workspace, also in subfolders, and updates the session's links. */
export function linkedFoldersContribution({ session, logger }: LinkedFoldersDeps): Contribution {
  const reads = new Sequencer();
  const refresh = (): Promise<void> =>
    reads.queue(async () => {
      const found = await vscode.workspace.findFiles(`**/${linkFileName}`, '**/node_modules/**', mostLinks);
      const folders = await Promise.all(found.map(readLink));
      folders.sort((a, b) => (a.folderId < b.folderId ? -1 : 1));
      session.setLinks(folders);
      logger.info('Linked folders', { count: folders.filter((folder) => folder.link).length });
    });
  return {
    id: 'linkedFolders',
    register: async (store: DisposableStore) => {
      const watcher = store.add(vscode.workspace.createFileSystemWatcher(`**/${linkFileName}`));
      const changed = (): void => void refresh();
      store.add(watcher.onDidCreate(changed));
      store.add(watcher.onDidChange(changed));
      store.add(watcher.onDidDelete(changed));
      store.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
      onNewFolder(changed, store);
      await refresh();
    },
  };
}

/** A scan starts when no new folder has appeared for this long, ms: a clone or an installation creates thousands. */
const quiet = 500;

/**
 * Calls `changed` after new folders: for a folder that appears with its files (a clone, a move), VS Code may report only the
 * folder.
 */
function onNewFolder(changed: () => void, store: DisposableStore): void {
  const watcher = store.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, true));
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.add(
    watcher.onDidCreate(({ path }) => {
      // Folders usually have no extension; a stat for each new file would cost more than the search that it saves.
      if (/\.[^/]*$/.test(path)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, quiet);
    }),
  );
  store.add({ dispose: () => clearTimeout(timer) });
}

async function readLink(uri: vscode.Uri): Promise<LinkedFolder> {
  const folder = vscode.Uri.joinPath(uri, '..');
  const name = baseName(folder.path);
  const id = folder.toString();
  try {
    const text = decodedText(await vscode.workspace.fs.readFile(uri));
    const link = parseLink(text);
    return link.ok
      ? { folderId: id, name, link: link.value, problem: undefined }
      : { folderId: id, name, link: undefined, problem: link.error };
  } catch {
    return { folderId: id, name, link: undefined, problem: `${linkFileName} could not be read.` };
  }
}
