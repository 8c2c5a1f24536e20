export { AskedImpact, type Impact } from './asked-impact.ts';
export {
  type CompareModels,
  filesMeaning,
  type FileTexts,
  type ModelComparison,
  type ModelTexts,
} from './files-meaning.ts';
export { FollowedMeaning } from './followed-meaning.ts';
export { type MeaningLine, type ModelMeaning, modelSection } from './model-meaning.ts';
export type { Reviews, ReviewSource, RowTexts } from './source.ts';
export { oneFileDocument } from './one-file-document.ts';
