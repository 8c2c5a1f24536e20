import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable.ts';
import type { SyncSessions } from '#features/sync-sessions.ts';
import type { FileTarget } from '#protocol/targets.ts';

/** Which version of a synced file: agreed last, on the platform now, here when a merge began, or none. */
export type Side = 'base' | 'remote' | 'mine' | 'empty';

const scheme = 'modelbench-version';

interface Version {
  readonly folder: string;
  readonly side: Side;
}

/** Read-only documents of the versions that a diff or a merge needs. */
export class RemoteDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #syncs: SyncSessions;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly #mine: (file: FileTarget) => string | undefined;

  /** `mine` knows local versions as they were when their merge began. */
  constructor(syncs: SyncSessions, mine: (file: FileTarget) => string | undefined) {
    this.#syncs = syncs;
    this.#mine = mine;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** The document of a version; an absent one is empty. */
  uri(file: FileTarget, side: Side): vscode.Uri {
    const version: Version = { folder: file.folderId, side };
    return vscode.Uri.from({ scheme, path: `/${file.path}`, query: JSON.stringify(version) });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { folder, side } = JSON.parse(uri.query) as Version;
    if (side === 'empty') return '';
    const path = uri.path.slice(1);
    if (side === 'mine') return this.#mine({ folderId: folder, path }) ?? '';
    const sync = this.#syncs.ofFolder(folder)?.sync;
    if (!sync) throw new Error('This folder is not in sync with a dev branch any more.');
    const bytes = side === 'base' ? await sync.baseContent(path) : await sync.remoteContent(path);
    return bytes === undefined ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  /** Open versions are read again. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
