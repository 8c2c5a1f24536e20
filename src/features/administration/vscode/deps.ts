import type { AdminData } from '#features/administration/admin-data.ts';
import type { Services } from '#compose/services.ts';
import type { AdminDocuments } from './admin-documents.ts';

/** What the Administration view works with. */
export type AdminServices = Pick<
  Services,
  'context' | 'accounts' | 'data' | 'session' | 'operations' | 'isTrusted' | 'boundary' | 'capabilitiesOf'
>;

/** What the handlers of the Administration view work with. */
export interface AdminParts extends AdminServices {
  readonly admin: AdminData;
  readonly documents: AdminDocuments;
}
