// The entry of a bundle: reading a model needs the whole language, so everything that does is loaded once, at first use.
export { SavedAnswers } from '#features/chat/vscode/saved-answers.ts';
export { openQuerySaving } from '#features/data/vscode/query-saving.ts';
export { openTestExplorer } from '#features/data/vscode/test-explorer.ts';
export { listedModels, PROJECT_FILES, projectFolders } from '#features/folders/listed-models.ts';
export { impactOfFiles, modelImpact } from '#features/lineage/model-impact.ts';
export { modelDiffOf } from '#features/lineage/model-diff.ts';
export { deployBranchModel } from '#features/language/deploy-branch.ts';
export { definedElsewhere } from '#model/proposed/elsewhere.ts';
export { classifyBlocks, problemOf } from '#model/proposed/classify-blocks.ts';
