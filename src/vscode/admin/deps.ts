import type { AdminData } from '#features/admin/admin-data.ts';
import type { AdminServices } from '../admin-parts.ts';
import type { AdminDocuments } from './admin-documents.ts';

/** What the handlers of the Administration view work with. */
export interface AdminParts extends AdminServices {
  readonly admin: AdminData;
  readonly documents: AdminDocuments;
}
