import * as vscode from 'vscode';
import { derived } from '#base/derived.ts';
import type { Contribution } from './contribution.ts';
import type { Services } from './services.ts';

/** The language client, told where the models of this window are. */
export function languageParts({ context, logger, session }: Services): Contribution {
  return {
    id: 'language',
    register: async (store) => {
      const roots = store.add(
        derived([session.links.onDidChange], () =>
          session.links.value.flatMap(({ folderId, link }) =>
            link ? [vscode.Uri.joinPath(vscode.Uri.parse(folderId, true), link.modelPath).toString()] : [],
          ),
        ),
      );
      const serverModule = vscode.Uri.joinPath(context.extensionUri, 'dist', 'language-server.js').fsPath;
      // The client's library is large: it is loaded after the rest of the extension, from a bundle of its own.
      const { languageContribution } = await import('#vscode/language/client.ts');
      const media = vscode.Uri.joinPath(context.extensionUri, 'media');
      await languageContribution({ serverModule, roots, logger, media }).register(store);
    },
  };
}
