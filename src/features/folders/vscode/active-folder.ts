import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { linkedFileAt } from './folder-uris.ts';
import type { LinkedFoldersDeps } from './deps.ts';

/** Shows the deployment of the linked folder whose file is being edited. */
export function activeFolderContribution({ session, logger }: LinkedFoldersDeps): Contribution {
  return {
    id: 'activeFolder',
    register: (store) => {
      const follow = (): void => {
        const uri = vscode.window.activeTextEditor?.document.uri;
        const file = uri && linkedFileAt(uri, session.links.value);
        session.edit(file?.folderId);
        if (!file) return;
        session
          .use(file.folderId)
          .catch((error: unknown) => logger.warn('The active folder could not be stored', { error: String(error) }));
      };
      store.add(vscode.window.onDidChangeActiveTextEditor(follow));
      store.add(session.links.onDidChange(follow));
      follow();
    },
  };
}
