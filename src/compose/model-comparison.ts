import type { RenderTemplates } from '#model/templates/render-model.ts';
import { changeLine } from '#features/lineage/model-changes.ts';
import type { ModelComparison } from '#features/review/files-model-diff.ts';

/** Compares the models of files; `render` renders their templates. Reading models is a bundle of its own. */
export const modelComparison = (render: RenderTemplates): ModelComparison => ({
  ofFile: async (path, before, after) => {
    const { modelImpact } = await import('#features/lineage/model-impact.ts');
    const texts = (text: string | undefined): ReadonlyMap<string, string> =>
      new Map(text === undefined ? [] : [[path, text]]);
    const { changes } = await modelImpact(texts(before), texts(after), render);
    return changes.map(changeLine);
  },
  ofFiles: async (before, after, others) => {
    const { impactOfFiles } = await import('#features/lineage/model-impact.ts');
    const { modelDiffOf } = await import('#features/lineage/model-diff.ts');
    return modelDiffOf(await impactOfFiles(before, after, others, render));
  },
});
