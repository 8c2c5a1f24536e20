import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { readableTime } from '#base/timestamps.ts';
import { systemClock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import { baseName } from '#base/path.ts';
import { unreachable } from '#base/result.ts';
import type { BranchTrash } from '#features/folders/branch-trash.ts';
import { branchOnly, type SyncSession, type SyncSessions } from '#features/folders/sync-sessions.ts';
import type { BranchTarget, FileTarget } from '#shell/targets.ts';
import { versionScheme as scheme } from '#shell/view-ids.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { BegunMerges } from '#features/folders/begun-merges.ts';

/**
 * The version of a synced file: last agreed on (`base`), on the platform now (`remote`), local or common when a merge began, or
 * none.
 */
type Side = 'base' | 'remote' | 'mine' | 'common' | 'empty';

/** Milliseconds after which a folder without an open sync counts as having none. */
const longestOpening = 30_000;

interface Version {
  readonly folder: string;
  readonly side: Side | 'trash';
  /** The id of the version in the trash. */
  readonly id?: string;
}

/** A page about the sync of a folder: its history, the result of a verification, or why a file is synced or not. */
export type SyncReport =
  | { readonly kind: 'history' | 'verified' }
  | { readonly kind: 'explain'; readonly path: string };

/** A version in the trash of a branch. */
interface BranchVersion {
  readonly branch: BranchTarget;
  readonly id: string;
}

interface ReportQuery {
  readonly folder: string;
  readonly report: SyncReport;
}

/** Read-only documents of the versions in a diff or a merge. */
export class RemoteDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #syncs: SyncSessions;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #merges: BegunMerges;
  readonly #branchTrash: Pick<BranchTrash, 'text'>;

  constructor(syncs: SyncSessions, merges: BegunMerges, branchTrash: Pick<BranchTrash, 'text'>) {
    this.#syncs = syncs;
    this.#merges = merges;
    this.#branchTrash = branchTrash;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** Returns the document of a version; a missing version is an empty document. */
  uri(file: FileTarget, side: Side): vscode.Uri {
    return versionUri(file, { folder: file.folderId, side });
  }

  /** Returns the document of a version in the trash. */
  trashed(file: FileTarget, id: string): vscode.Uri {
    return versionUri(file, { folder: file.folderId, side: 'trash', id });
  }

  /** Returns the document of a version in the trash of a branch. */
  trashedOnBranch(branch: BranchTarget, path: string, id: string): vscode.Uri {
    const query: BranchVersion = { branch: branchOnly(branch), id };
    return vscode.Uri.from({ scheme, path: `/${path}`, query: JSON.stringify(query) });
  }

  /** Returns an empty document with a name, for the side of a comparison that has no file. */
  empty(path: string): vscode.Uri {
    return versionUri({ folderId: '', path }, { folder: '', side: 'empty' });
  }

  /** Returns a page that is rebuilt whenever it is opened or refreshed. */
  report(folder: string, report: SyncReport): vscode.Uri {
    const path = report.kind === 'explain' ? `/Sync of ${baseName(report.path)}` : reportTitles[report.kind];
    const query: ReportQuery = { folder, report };
    return vscode.Uri.from({ scheme, path, query: JSON.stringify(query) });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = JSON.parse(uri.query) as Version | ReportQuery | BranchVersion;
    if ('branch' in query) return (await this.#branchTrash.text(query.branch, query.id)) ?? '';
    return 'report' in query ? this.#reportText(query) : this.#versionText(uri, query);
  }

  async #reportText({ folder, report }: ReportQuery): Promise<string> {
    const session = await this.#session(folder);
    const { sync } = session;
    switch (report.kind) {
      case 'history':
        return sync.maintenance.historyPage(readableTime);
      case 'verified':
        return sync.maintenance.verification();
      case 'explain':
        return sync.maintenance.explain(report.path, session.folder.link.modelPath);
      default:
        return unreachable(report);
    }
  }

  async #versionText(uri: vscode.Uri, { folder, side, id = '' }: Version): Promise<string> {
    if (side === 'empty') return '';
    const path = uri.path.slice(1);
    if (side === 'mine') return this.#merges.of({ folderId: folder, path })?.mine ?? '';
    if (side === 'common') return this.#merges.of({ folderId: folder, path })?.base ?? '';
    const { sync } = await this.#session(folder);
    const bytes = await versionIn(sync, path, side, id);
    return bytes === undefined ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  /** Waits for the session: VS Code restores editors before the window knows its folders. */
  async #session(folder: string): Promise<SyncSession> {
    const session = await this.#syncs.awaited(folder, longestOpening, systemClock);
    if (!session) throw new Error('This folder is no longer synced with a dev branch.');
    return session;
  }

  /** Reloads open versions. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

const reportTitles = { history: '/Sync History', verified: '/Verification' } as const;

function versionUri({ path }: FileTarget, version: Version): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${path}`, query: JSON.stringify(version) });
}

function versionIn(sync: FolderSync, path: string, side: Version['side'], id: string): Promise<Uint8Array | undefined> {
  if (side === 'trash') return sync.trashedContent(id);
  return side === 'base' ? sync.baseContent(path) : sync.remoteContent(path);
}
