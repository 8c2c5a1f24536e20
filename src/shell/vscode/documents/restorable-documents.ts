import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { UnsentFiles } from '../unsent-files.ts';
import { stateStore } from '../stores.ts';
import { DocumentFiles } from './document-files.ts';
import { DocumentMemory } from './document-memory.ts';
import type { PlatformDocument } from './platform-document.ts';

/**
 * Registers the documents of a scheme at activation, because VS Code restores editors. Their recipes are stored under `name` and
 * forgotten with their account; `make` restores a document of an earlier window.
 */
export function restorableDocuments(
  { context, accounts, owners }: KeptFor,
  store: DisposableStore,
  { scheme, name, make }: RestorableDocuments,
): DocumentFiles {
  const { globalStorageUri, secrets, storageUri, workspaceState } = context;
  const records = new UnsentFiles(globalStorageUri.fsPath, [storageUri?.toString() ?? '', name]);
  const memory = new DocumentMemory({ state: stateStore(workspaceState), secrets, records }, name);
  const documents = store.add(new DocumentFiles(scheme, { memory, make }));
  owners.add(documents);
  const keepOnly = (ids: readonly string[]): void => void documents.keepOnly(new Set(ids));
  const idsOf = (all: typeof accounts.all.value): readonly string[] => all.map(({ id }) => id);
  // The user may have signed out in another window while this one was closed. The account of the environment has no sign-out; it may
  // be missing because VS Code was started without its variable this time.
  keepOnly([...idsOf(accounts.all.value), 'environment']);
  store.add(accounts.all.onDidChange((all) => keepOnly(idsOf(all))));
  return documents;
}

/** The documents that know the account whose data they show. */
export type DocumentOwners = Set<Pick<DocumentFiles, 'drop' | 'loaded' | 'ownerOf'>>;

/** The storage for documents, and the accounts with which they are forgotten. */
interface KeptFor {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'secrets' | 'storageUri' | 'workspaceState'>;
  readonly owners: DocumentOwners;
  readonly accounts: { readonly all: ReadonlyStore<readonly { readonly id: string }[]> };
}

interface RestorableDocuments {
  readonly scheme: string;
  readonly name: string;
  readonly make: (recipe: unknown, path: string) => Promise<PlatformDocument | undefined>;
}
