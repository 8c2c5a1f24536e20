import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/run.ts';

/**
 * Why each picker of a file offers only what can be chosen, in every state. `fixed`: rows that always apply. `all`: objects that exist,
 * each of which the command takes. `filtered`: what would be refused is left out. `read`: only shown. A picker without rows is a hint
 * (`test/unit/shell/vscode/follow-up.test.ts`).
 */
const pickers: Readonly<Record<string, readonly ('fixed' | 'all' | 'filtered' | 'read')[]>> = {
  'compose/connect-commands.ts': ['all', 'all'],
  'compose/menu.ts': ['filtered'],
  'features/accounts/vscode/browser-sign-in.ts': ['fixed'],
  'features/accounts/vscode/import-contexts.ts': ['all'],
  'features/accounts/vscode/sign-in.ts': ['all'],
  'features/administration/vscode/choose.ts': ['filtered', 'filtered'],
  'features/administration/vscode/handlers.ts': ['filtered'],
  'features/administration/vscode/objects.ts': ['fixed'],
  'features/api-explorer/vscode/description.ts': ['fixed'],
  'features/api-explorer/vscode/pick.ts': ['all', 'all'],
  'features/audit/vscode/ask-audit-filter.ts': ['fixed'],
  'features/audit/vscode/audit-query.ts': ['fixed'],
  'features/branches/vscode/branch-commands.ts': ['filtered', 'fixed'],
  'features/branches/vscode/compare-commands.ts': ['all', 'filtered'],
  'features/branches/vscode/search-branch.ts': ['all'],
  'features/changes/vscode/sync-commands.ts': ['filtered'],
  'features/chat/vscode/attachments.ts': ['filtered', 'all', 'all'],
  'features/chat/vscode/choose-file.ts': ['all'],
  'features/chat/vscode/contribution.ts': ['all'],
  'features/chat/vscode/proposal-views.ts': ['all'],
  'features/chat/vscode/proposals.ts': ['all'],
  'features/chat/vscode/set-up.ts': ['all', 'fixed'],
  'features/dashboards/vscode/publish.ts': ['filtered', 'filtered'],
  'features/dashboards/vscode/workbook-commands.ts': ['filtered', 'all', 'all', 'fixed'],
  'features/data/vscode/choose-target.ts': ['all'],
  'features/deployments/vscode/create-deployment.ts': ['all'],
  'features/deployments/vscode/deployment-settings.ts': ['all'],
  'features/deployments/vscode/github.ts': ['filtered', 'all'],
  'features/deployments/vscode/manage-deployment.ts': ['all', 'read', 'all'],
  'features/deployments/vscode/metadata-token.ts': ['all'],
  'features/folders/vscode/choose-session.ts': ['all'],
  'features/folders/vscode/folder-account.ts': ['filtered', 'all'],
  'features/folders/vscode/install-agent-skills.ts': ['fixed', 'all'],
  'features/folders/vscode/link-folder.ts': ['all', 'all'],
  'features/folders/vscode/trash.ts': ['all'],
  'features/history/vscode/conflicts.ts': ['all'],
  'features/history/vscode/deploy.ts': ['filtered'],
  'features/language/vscode/generate-cube.ts': ['all'],
  'features/language/vscode/model-of-window.ts': ['all'],
  'features/logs/vscode/choose-log.ts': ['fixed'],
  'features/platform/vscode/pick.ts': ['all', 'all', 'filtered'],
  'features/playground/vscode/choose-identity.ts': ['filtered', 'all', 'all', 'all'],
  'features/workspace/vscode/choose-items.ts': ['filtered', 'filtered'],
  'features/workspace/vscode/item-commands.ts': ['fixed', 'all'],
  'features/workspace/vscode/item-handlers.ts': ['all'],
  'features/workspace/vscode/notification-filter.ts': ['fixed', 'all'],
  'features/workspace/vscode/organise-items.ts': ['filtered', 'fixed'],
  'features/workspace/vscode/search.ts': ['fixed'],
  'features/workspace/vscode/workspace-commands.ts': ['all', 'fixed'],
  'shell/vscode/protection.ts': ['fixed'],
};

const asks = /\b(?:showQuickPick|createQuickPick)\s*(?:<(?:[^<>()]|\([^()]*\)|<[^<>]*>)*>)?\(/g;

/** Files whose pickers are not the ones of the table. */
function unlisted(sources: ReadonlyMap<string, string>): readonly string[] {
  const found = [...sources].flatMap(([path, text]) => {
    const count = text.match(asks)?.length ?? 0;
    const known = pickers[path]?.length ?? 0;
    return count === known ? [] : [`${path} has ${count} pickers, ${known} are listed`];
  });
  return [...found, ...Object.keys(pickers).filter((path) => !sources.has(path))];
}

const sources = new Map(
  globSync('**/*.ts', { cwd: join(root, 'src') })
    .filter((path) => !path.startsWith(join('shell', 'vscode', 'guarded')))
    .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, 'src', path), 'utf8')] as const),
);

describe('pickers', () => {
  it('have each said why nothing that they offer is refused', () => {
    expect(unlisted(sources)).toEqual([]);
  });

  it('would be noticed if they were new', () => {
    const path = 'features/branches/vscode/delete-at-gate.ts';
    for (const call of [
      'showQuickPick(items)',
      'createQuickPick<Row>()',
      'showQuickPick<Item & { readonly x?: 1 }>(a)',
    ]) {
      const more = new Map([...sources, [path, `await vscode.window.${call};`]]);
      expect(unlisted(more)).toEqual([`${path} has 1 pickers, 0 are listed`]);
    }
  });
});
