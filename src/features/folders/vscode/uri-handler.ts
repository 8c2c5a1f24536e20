import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { Services } from '#compose/services.ts';

/** Opens links into the extension: a deployment, a branch, a file of it, a chat thread. They only show, and change nothing. */
export function uriHandlerContribution(services: Services): Contribution {
  return {
    id: 'uriHandler',
    register: (store) => {
      store.add(
        vscode.window.registerUriHandler({
          handleUri: async (uri) => {
            try {
              const { followLink } = await import('#features/folders/vscode/follow-link.ts');
              await followLink(services, uri);
            } catch (error) {
              void services.boundary('link', error);
            }
          },
        }),
      );
    },
  };
}
