export { changedBody } from './changes.ts';
export { bodySchema } from './document-schema.ts';
export {
  type AdminDocument,
  checkBody,
  checkChanges,
  type DocumentEdit,
  editable,
  type FieldProblem,
  type OpenOptions,
  pathSegment,
  sendBody,
} from './document.ts';
export { withHelp } from './field-help.ts';
export type { Fields } from './rows.ts';
