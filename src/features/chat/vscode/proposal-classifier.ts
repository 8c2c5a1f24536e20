import type { ProposalClassifier } from '#chat-core/proposal-ports.ts';
import type { ChatModelDeps } from './deps.ts';
import { takeSnapshot } from './model-snapshot.ts';

/**
 * Classifies proposals with the model language, a separate bundle that is loaded with the first proposal. A cube or view that another
 * file defines is not added to a second one: the answer means that other file.
 */
export function modelClassifier({ modelFolder }: Pick<ChatModelDeps, 'modelFolder'>): ProposalClassifier {
  const branchTexts = () => Promise.resolve(new Map<string, string>());
  return {
    classify: async (path, base, blocks) => {
      const { classifyBlocks } = await import('#model/proposed/classify-blocks.ts');
      const { definedElsewhere } = await import('#model/proposed/elsewhere.ts');
      const classified = classifyBlocks(path, base, blocks);
      if (classified.kind !== 'change') return classified;
      const model = await takeSnapshot({ modelFolder, branchTexts });
      const known = model && definedElsewhere(path, base, classified.text, model.local);
      return known ? { kind: 'draft', reason: `“${known.name}” is already defined in ${known.path}.` } : classified;
    },
    problem: async (...asked) => (await import('#model/proposed/classify-blocks.ts')).problemOf(...asked),
  };
}
