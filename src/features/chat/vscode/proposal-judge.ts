import type { ProposalJudge } from '#chat-core/proposal-ports.ts';
import type { ChatModelDeps } from './deps.ts';
import { takeSnapshot } from './model-snapshot.ts';

/**
 * Judges proposals with the model language, a separate bundle that is loaded with the first proposal. A cube or view that another
 * file defines is not added to a second one: the answer means that other file.
 */
export function modelJudge({ modelFolder }: Pick<ChatModelDeps, 'modelFolder'>): ProposalJudge {
  const branchTexts = () => Promise.resolve(new Map<string, string>());
  return {
    judge: async (path, base, blocks) => {
      const { judgeBlocks } = await import('#model/proposed/judge.ts');
      const { definedElsewhere } = await import('#model/proposed/elsewhere.ts');
      const judged = judgeBlocks(path, base, blocks);
      if (judged.kind !== 'change') return judged;
      const model = await takeSnapshot({ modelFolder, branchTexts });
      const known = model && definedElsewhere(path, base, judged.text, model.local);
      return known ? { kind: 'draft', reason: `“${known.name}” is already defined in ${known.path}.` } : judged;
    },
    problem: async (...asked) => (await import('#model/proposed/judge.ts')).problemOf(...asked),
  };
}
