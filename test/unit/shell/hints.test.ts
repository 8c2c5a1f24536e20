import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

/** How a hint begins: it asks for something first, or says that there is nothing to do. */
const beginnings =
  /new UserError\(\s*['`]((?:Choose|Open|Select|Sign in|Start|Place|Nothing is|There (?:is|are) no|You (?:have no|are signed out)|(?:This|That) [\w ]{3,20} (?:has no|is signed out)|No (?!permission))\b[^'`]*)/gi;

/**
 * Why each error of a file is one: what the user asked for was `lost` to someone else's change or deletion, `refused` by a rule,
 * `unfinished` because a part failed, or `unread` because what came cannot be used. A new error is a hint unless it is one of these.
 */
const failures: Readonly<Record<string, readonly ('lost' | 'refused' | 'unfinished' | 'unread')[]>> = {
  'compose/chat-deps.ts': ['refused'],
  'features/accounts/vscode/import-contexts.ts': ['unfinished', 'unread', 'unread'],
  'features/administration/admin-error.ts': ['refused'],
  'features/administration/attribute-values.ts': ['unread', 'unfinished'],
  'features/administration/find-row.ts': ['lost'],
  'features/administration/form-session.ts': ['refused'],
  'features/administration/object-documents.ts': ['lost'],
  'features/administration/open-object.ts': ['refused', 'lost', 'refused', 'refused'],
  'features/administration/vscode/admin-documents.ts': ['refused', 'refused'],
  'features/api-explorer/vscode/requests.ts': ['unread'],
  'features/branches/dev-mode.ts': ['unread'],
  'features/branches/vscode/compare-commands.ts': ['unfinished'],
  'features/chat/code-change.ts': ['refused'],
  'features/chat/vscode/contribution.ts': ['lost'],
  'features/chat/vscode/proposal-files.ts': ['refused', 'unfinished', 'unfinished'],
  'features/dashboards/open-draft.ts': ['refused', 'lost', 'lost'],
  'features/dashboards/vscode/draft-documents.ts': ['refused', 'refused'],
  'features/deployments/environment-variables.ts': ['refused', 'refused', 'lost'],
  'features/folders/branch-documents.ts': ['refused'],
  'features/folders/branch-files.ts': [
    'refused',
    'unread',
    'unread',
    'lost',
    'refused',
    'lost',
    'refused',
    'unfinished',
    'unfinished',
  ],
  'features/folders/changed-meanwhile.ts': ['lost'],
  'features/folders/restore-versions.ts': ['unfinished'],
  'features/folders/transfer.ts': ['refused'],
  'features/folders/vscode/choose-session.ts': ['unfinished'],
  'features/folders/vscode/clone.ts': ['unfinished'],
  'features/folders/vscode/command-line-install.ts': ['refused'],
  'features/folders/vscode/follow-link.ts': ['unread', 'lost', 'lost'],
  'features/folders/vscode/link-folder.ts': ['refused'],
  'features/folders/vscode/open-sync.ts': ['refused'],
  'features/history/deploy-step.ts': ['lost', 'lost'],
  'features/history/deploy-target.ts': ['lost', 'refused', 'lost'],
  'features/history/folder-conflicts.ts': ['unfinished', 'lost'],
  'features/history/pull-parent.ts': ['lost', 'lost'],
  'features/history/resolve-git-conflict.ts': ['lost', 'unfinished'],
  'features/language/cube-review.ts': ['unfinished'],
  'features/language/vscode/reviewed-fixes.ts': ['lost'],
  'features/logs/log-rows.ts': ['unread'],
  'features/platform/gated-branch.ts': ['lost', 'lost'],
  'features/platform/production-pass.ts': ['lost'],
  'features/platform/vscode/write-in-folder.ts': ['refused'],
  'features/playground/playground-session.ts': ['unread'],
  'features/review/edit-review.ts': ['lost', 'unfinished'],
  'features/review/move-review.ts': ['unfinished'],
  'features/workspace/item-documents.ts': ['lost', 'lost', 'lost'],
  'features/workspace/rename.ts': ['refused'],
  'shell/vscode/documents/document-files.ts': ['lost'],
  'shell/vscode/documents/platform-document.ts': ['unread'],
  'shell/vscode/guarded/open-address.ts': ['refused'],
  'shell/vscode/merge-editor.ts': ['lost', 'lost'],
  'shell/vscode/save-document.ts': ['unfinished'],
};

/** Files whose errors are not the ones of the table. */
function unlisted(path: string, source: string): readonly string[] {
  const count = source.match(/new UserError\(/g)?.length ?? 0;
  const known = failures[path]?.length ?? 0;
  return count === known ? [] : [`${path} has ${count} errors, ${known} are listed: is the new one a hint?`];
}

function hintsShownAsErrors(source: string): readonly string[] {
  return [...source.matchAll(beginnings)].map(([, message = '']) => message);
}

describe('a hint', () => {
  it('does not appear as an error', () => {
    const files = globSync('src/**/*.ts', { cwd: root });
    expect(files.flatMap((file) => hintsShownAsErrors(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('is what a new message is, unless it is listed as a failure', () => {
    const files = globSync('**/*.ts', { cwd: join(root, 'src') });
    expect(files.flatMap((file) => unlisted(file, readFileSync(join(root, 'src', file), 'utf8')))).toEqual([]);
    expect(Object.keys(failures).filter((file) => !files.includes(file))).toEqual([]);
    expect(unlisted('features/audit/audit-log.ts', "new UserError('a'); new UserError('b')")).toHaveLength(1);
  });

  it.each([
    'There are no conflicts.',
    'That account is signed out.',
    'You are signed out of this tenant.',
    'Choose a workbook.',
    'No request has been sent yet.',
  ])('shows where it is thrown as an error: %s', (message) => {
    expect(hintsShownAsErrors(`throw new UserError(\n  '${message}',\n);`)).toEqual([message]);
    expect(hintsShownAsErrors(`throw new Hint('${message}');`)).toEqual([]);
  });

  it('leaves what failed an error', () => {
    expect(hintsShownAsErrors("new UserError('No permission: the key may not do this.')")).toEqual([]);
  });
});
