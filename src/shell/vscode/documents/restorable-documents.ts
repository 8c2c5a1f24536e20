import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { DisposableStore } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { stateStore } from '../stores.ts';
import { DocumentFiles } from './document-files.ts';
import { DocumentMemory } from './document-memory.ts';
import type { PlatformDocument } from './platform-document.ts';

/**
 * Registers the documents of a scheme at activation, because VS Code restores editors. Their recipes are stored under `name` and
 * forgotten with their account; `make` restores a document of an earlier window.
 */
export function restorableDocuments(
  { context, accounts }: KeptFor,
  store: DisposableStore,
  { scheme, name, make }: RestorableDocuments,
): DocumentFiles {
  const memory = new DocumentMemory(stateStore(context.workspaceState), context.secrets, name);
  const documents = store.add(new DocumentFiles(scheme, { memory, make }));
  store.add(accounts.all.onDidChange((all) => void documents.keepOnly(new Set(all.map(({ id }) => id)))));
  return documents;
}

/** The storage for documents, and the accounts with which they are forgotten. */
interface KeptFor {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState' | 'secrets'>;
  readonly accounts: { readonly all: ReadonlyStore<readonly { readonly id: string }[]> };
}

interface RestorableDocuments {
  readonly scheme: string;
  readonly name: string;
  readonly make: (recipe: unknown, path: string) => Promise<PlatformDocument | undefined>;
}
