import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { LinkHandlerDeps } from './deps.ts';

/**
 * Opens links into the extension: a deployment, a branch, one of its files, a chat thread. Links only show, they change nothing.
 */
export function uriHandlerContribution(deps: LinkHandlerDeps): Contribution {
  return {
    id: 'uriHandler',
    register: (store) => {
      store.add(
        vscode.window.registerUriHandler({
          handleUri: async (uri) => {
            try {
              const { followLink } = await import('#features/folders/vscode/follow-link.ts');
              await followLink(deps, uri);
            } catch (error) {
              void deps.boundary('link', error);
            }
          },
        }),
      );
    },
  };
}
