export type { AdminDocuments } from './admin-documents.ts';
