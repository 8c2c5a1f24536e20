import { openDiff } from '#shell/vscode/guarded/diff.ts';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { ChangeDiffDeps } from './deps.ts';

/** Shows the effect of one change as a diff, with the replaced side on the left. */
export async function openChange({ documents, syncs }: ChangeDiffDeps, file: FileTarget): Promise<void> {
  const entry = syncs.ofFolder(file.folderId)?.sync.status.value.plan?.entries.find(({ path }) => path === file.path);
  const local = fileUri(file);
  const remote = documents.uri(file, 'remote');
  const empty = documents.uri(file, 'empty');
  const name = baseName(file.path);
  const diff = (left: vscode.Uri, right: vscode.Uri, title: string): Thenable<unknown> =>
    openDiff(left, right, text`${name} (${title})`);
  if (!entry) {
    await diff(remote, local, 'Platform ↔ Local');
    return;
  }
  await showEntry(
    entry,
    { local, remote, empty, diff, from: (path) => documents.uri({ ...file, path }, 'remote') },
    file,
  );
}

interface Sides {
  readonly local: vscode.Uri;
  readonly remote: vscode.Uri;
  readonly empty: vscode.Uri;
  readonly diff: (left: vscode.Uri, right: vscode.Uri, title: string) => Thenable<unknown>;
  readonly from: (path: string) => vscode.Uri;
}

function showEntry(entry: PlanEntry, sides: Sides, file: FileTarget): Thenable<unknown> {
  const { local, remote, empty, diff } = sides;
  switch (entry.kind) {
    case 'conflict':
      return diff(remote, local, 'Platform ↔ Local');
    case 'upload':
      return diff(entry.expectedRemote === undefined ? empty : remote, local, 'Platform ↔ Local');
    case 'download':
      return diff(entry.expectedLocal === undefined ? empty : local, remote, 'Local ↔ Platform');
    case 'deleteRemote':
      return diff(remote, empty, 'Platform ↔ deleted here');
    case 'deleteLocal':
      return diff(local, empty, 'Local ↔ deleted on the platform');
    case 'renameRemote':
      return diff(sides.from(entry.from), local, `renamed from ${baseName(entry.from)}`);
    case 'renameLocal':
      return diff(fileUri({ ...file, path: entry.from }), remote, `renamed from ${baseName(entry.from)}`);
    case 'frozen':
      return executeBuiltIn('vscode.open', entry.side === 'local' ? local : remote);
    default:
      return executeBuiltIn('vscode.open', local);
  }
}
