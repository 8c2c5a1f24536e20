import { derived } from '#base/derived.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import { AdminData } from '#features/admin/admin-data.ts';
import { type AdminNode, adminTree, describeAdminNode, type ListState } from '#features/admin/admin-tree.ts';
import { type AdminList, listWords } from '#features/admin/rows.ts';
import { adminFailure } from '#features/admin/words.ts';
import type { TreeItemSpec } from '#features/trees/tree-item.ts';
import type { AdminCommands } from '#protocol/admin-commands.ts';
import type { AdminServices } from '../admin-parts.ts';
import type { Handlers } from '../commands/register.ts';
import { stateStore } from '../platform/stores.ts';
import type { DocumentFiles } from '../console/document-files.ts';
import type { PlatformDocument } from '../console/platform-document.ts';
import { AdminDocuments } from './admin-documents.ts';
import { adminHandlers } from './handlers.ts';
import { restoredDocument } from './restore.ts';

export interface OpenedAdmin extends Disposable {
  readonly commands: Handlers<AdminCommands>;
  readonly tree: ReadonlyStore<readonly AdminNode[]>;
  readonly describe: (node: AdminNode) => TreeItemSpec;
  /** Makes a document of an earlier window again. */
  readonly documentOf: (recipe: unknown, path: string) => Promise<PlatformDocument | undefined>;
  /** Loads the rows of a node that is opened for the first time. */
  readonly expand: (node: AdminNode) => Promise<void>;
}

/** Makes the administration; its code is a bundle of its own that is loaded when it is first needed. */
export function openAdmin(services: AdminServices & { readonly objects: DocumentFiles }): OpenedAdmin {
  const store = new DisposableStore();
  const { accounts, data } = services;
  const admin = store.add(
    new AdminData({
      client: (accountId) => data.client(accountId),
      state: stateStore(services.context.globalState),
    }),
  );
  const documents = store.add(new AdminDocuments(services, services.objects));
  store.add(accounts.all.onDidChange((all) => admin.keepOnly(new Set(all.map(({ id }) => id)))));
  const tree = store.add(
    derived<readonly AdminNode[]>([admin.onDidChange, accounts.all.onDidChange], () =>
      adminTree({ accounts: accounts.all.value, list: (id, list) => stateOf(admin, id, list) }),
    ),
  );
  return {
    tree,
    describe: describeAdminNode,
    documentOf: async (recipe, path) => restoredDocument({ ...services, admin, documents }, recipe, path),
    expand: async (node) => {
      const list = listIn(node);
      if (list && 'accountId' in node) await admin.of(node.accountId, list).ensure();
    },
    commands: adminHandlers({ ...services, admin, documents }),
    dispose: () => store.dispose(),
  };
}

/** The list whose rows are below a node and are loaded when it opens. */
function listIn(node: AdminNode): AdminList | undefined {
  if (node.kind === 'adminList') return node.list;
  if (node.kind !== 'adminRow' || node.row.type !== 'embedGroup') return undefined;
  return { list: 'members', tenant: node.row.tenant ?? '', groupId: node.row.id };
}

function stateOf(admin: AdminData, accountId: string, list: AdminList): ListState | undefined {
  const state = admin.known(accountId, list)?.state.value;
  if (!state) return undefined;
  return {
    rows: state.value,
    loading: state.loading,
    error: adminFailure(state.error, `read ${listWords[list.list]}`),
  };
}
