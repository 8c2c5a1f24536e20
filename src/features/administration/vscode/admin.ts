import { derived } from '#base/derived.ts';
import { DisposableStore } from '#base/disposable.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import { type AdminNode, adminTree, describeAdminNode, type ListState } from '#features/administration/admin-tree.ts';
import { type AdminList, listLabels } from '#features/administration/rows.ts';
import { adminFailure } from '#features/administration/admin-error.ts';
import type { AdminDeps } from './deps.ts';
import { stateStore } from '#shell/vscode/stores.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import { AdminDocuments } from './admin-documents.ts';
import type { FormDeps } from './form-editors.ts';
import { adminHandlers } from './handlers.ts';
import { AdminTables } from './tables.ts';
import { restoredDocument } from './restore.ts';
import type { OpenedAdmin } from './opened-admin.ts';

/** Opens the administration. Its code is a separate bundle that is loaded when it is first needed. */
export function openAdmin(services: AdminDeps & FormDeps & { readonly objects: DocumentFiles }): OpenedAdmin {
  const store = new DisposableStore();
  const { accounts, data } = services;
  const admin = store.add(new AdminData({ data, state: stateStore(services.context.globalState) }));
  const documents = store.add(new AdminDocuments(services, services.objects));
  const tables = store.add(new AdminTables({ ...services, admin, documents }, services.boundary));
  store.add(accounts.all.onDidChange((all) => admin.keepOnly(new Set(all.map(({ id }) => id)))));
  const tree = store.add(
    derived<readonly AdminNode[]>(() =>
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
    commands: adminHandlers({ ...services, admin, documents }, tables),
    dispose: () => store.dispose(),
  };
}

/** Returns the list whose rows are loaded when a node is expanded. */
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
    error: adminFailure(state.error, `read ${listLabels[list.list]}`),
  };
}
