import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { type DeepLink, deepLink } from '#features/platform/index.ts';
import type { LinkAddressDeps } from './deps.ts';

/** Returns the link that opens a branch or a chat thread in VS Code on another machine. */
export function linkTo(
  deps: LinkAddressDeps,
  location: Pick<DeepLink, 'deploymentId' | 'branchName' | 'chatId'> & { readonly accountId: string },
): string {
  const { accountId, deploymentId, branchName, chatId } = location;
  const { tenantUrl } = deps.accounts.get(accountId) ?? {};
  const { path, query } = deepLink({ tenantUrl, deploymentId, branchName, chatId });
  // VS Code decodes a link once before it passes it on, so the link has another layer of encoding around ours.
  const scheme = vscode.env.uriScheme;
  return vscode.Uri.from({ scheme, authority: deps.context.extension.id, path, query }).toString();
}
