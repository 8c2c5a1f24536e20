import * as vscode from '#vscode/guarded/vscode.ts';
import type { Contribution } from '../contribution.ts';
import type { Services } from '../services.ts';

/** Opens links into the extension: a deployment, a branch, a file of it, a chat thread. They only show, and change nothing. */
export function uriHandlerContribution(services: Services): Contribution {
  return {
    id: 'uriHandler',
    register: (store) => {
      store.add(
        vscode.window.registerUriHandler({
          handleUri: async (uri) => {
            try {
              const { followLink } = await import('#vscode/link/follow-link.ts');
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
