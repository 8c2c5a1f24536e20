import type { DisposableStore } from '#base/disposable.ts';
import { observe, Store } from '#base/store.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { AdminNode } from '#features/administration/admin-tree.ts';
import { type AdminCommands, adminCommands } from '#shell/commands/administration-commands.ts';
import { adminScheme, views } from '#shell/view-ids.ts';
import { type Handlers, handOver } from '#shell/vscode/register.ts';
import { type DocumentOwners, restorableDocuments } from '#shell/vscode/documents/restorable-documents.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { setting } from '#shell/vscode/settings.ts';
import type { AdminDeps } from './deps.ts';
import { registerTree } from '#shell/vscode/register-tree.ts';
import type { FormDeps } from './form-editors.ts';
import { registerForms } from './lazy-forms.ts';
import type { LazyAdmin, OpenedAdmin } from './opened-admin.ts';

/**
 * Returns a function that loads the administration once. Its document provider is registered at once, because VS Code restores
 * editors.
 */
export function lazyAdmin(
  services: AdminDeps & FormDeps & { readonly owners: DocumentOwners },
  store: DisposableStore,
): LazyAdmin {
  let opened: Promise<OpenedAdmin> | undefined;
  const open: LazyAdmin = () => {
    opened ??= import('#features/administration/vscode/admin.ts').then((module) =>
      store.add(module.openAdmin({ ...services, objects })),
    );
    return opened;
  };
  const objects = restorableDocuments(services, store, {
    scheme: adminScheme,
    name: 'administration.documents',
    make: async (recipe, path) => (await open()).documentOf(recipe, path),
  });
  registerForms(services, objects, store);
  return open;
}

interface AdminViewDeps {
  readonly admin: LazyAdmin;
  readonly accounts: Accounts;
}

/** Contributes the view, which a setting shows. Its content is loaded when it is first shown. */
export function adminView({ admin, accounts }: AdminViewDeps): Contribution {
  return {
    id: views.administration,
    register: (store) => {
      const nodes = store.add(new Store<readonly AdminNode[]>([]));
      let filled: Promise<OpenedAdmin> | undefined;
      const fill = async (): Promise<OpenedAdmin> => {
        const opened = await admin();
        store.add(observe(opened.tree, (now) => nodes.set(now)));
        return opened;
      };
      const loaded = (): Promise<OpenedAdmin> => (filled ??= fill());
      let describe: OpenedAdmin['describe'] | undefined;
      registerTree(
        views.administration,
        {
          nodes,
          // Nodes exist only after `describe` was loaded.
          describe: (node) => describe?.(node) ?? { label: node.id, collapsible: 'none' },
          ensure: async () => {
            if (accounts.all.value.length === 0) return;
            ({ describe } = await loaded());
          },
          expand: async (node) => (await loaded()).expand(node),
        },
        store,
        { canSelectMany: true },
      );
      // The first sign-in fills a view that is already shown.
      store.add(
        accounts.all.onDidChange((all) => {
          if (all.length > 0 && describe === undefined && setting('administration.enabled'))
            void loaded().then((opened) => ({ describe } = opened));
        }),
      );
    },
  };
}

/** Returns handlers that load the administration and forward each command to it. */
export function adminHandlers(admin: LazyAdmin): Handlers<AdminCommands> {
  return handOver<AdminCommands>(adminCommands, admin);
}
