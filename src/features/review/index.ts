export { AskedImpact, type Impact } from './asked-impact.ts';
export {
  type CompareModels,
  filesModelDiff,
  type FileTexts,
  type ModelComparison,
  type ModelTexts,
} from './files-model-diff.ts';
export { LiveModelDiff } from './live-model-diff.ts';
export { type ModelDiffLine, type ModelDiff, modelSection } from './model-diff.ts';
export type { Reviews, ReviewSource, RowTexts } from './source.ts';
export { textsOfBytes } from './texts-of-bytes.ts';
export { oneFileDocument } from './one-file-document.ts';
