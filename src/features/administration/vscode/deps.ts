import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { AdminData } from '#features/administration/admin-data.ts';
import type { DescribedData } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { WindowTrust } from '#shell/trust.ts';
import type { AdminDocuments } from './admin-documents.ts';

/** The dependencies of the Administration view. */
export interface AdminDeps extends DescribedData, WindowTrust {
  readonly context: vscode.ExtensionContext;
  readonly accounts: Accounts;
  readonly operations: Operations;
}

/** The dependencies of the command handlers of the Administration view. */
export interface AdminHandlerDeps extends AdminDeps {
  readonly admin: AdminData;
  readonly documents: AdminDocuments;
}
