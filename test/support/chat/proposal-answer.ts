import { expect } from 'vitest';
import type { AskEngine } from '#chat-core/proposal-ports.ts';
import { ProposalReview } from '#chat-core/proposal-review.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { MemoryFiles } from './memory-files.ts';
import { MemoryProposalFiles, classifier, recordsIn } from './memory-proposals.ts';

export const measure = (name: string, type = 'sum'): string =>
  `      - name: ${name}\n        sql: ${name}\n        type: ${type}\n`;
export const cube = (...measures: readonly string[]): string =>
  `cubes:\n  - name: a\n    sql_table: a\n    measures:\n${measures.join('')}`;
export const CUBE = cube(measure('one'), measure('two'));
export const A = 'model/a.yml';
export const NEW = 'model/new.yml';
export const added = CUBE + measure('three');
export const newFile = 'cubes:\n  - name: n\n    sql_table: n\n';
export const inFence = (path: string, text: string): string => `\`\`\`yaml ${path}\n${text}\`\`\`\n`;
export const both = `${inFence(A, measure('three'))}\n${inFence(NEW, newFile)}`;

/** Creates the review of an answer whose question was sent while the files were in the given state. */
export async function setUp(
  options: {
    readonly answer?: string;
    readonly before?: string;
    readonly branch?: string;
    readonly engine?: AskEngine;
  } = {},
) {
  const { answer = both, before = CUBE, branch, engine } = options;
  const disk = new MemoryProposalFiles();
  disk.texts.set(A, before);
  const stored = new MemoryFiles();
  await recordsIn(stored).begin('1-message', {
    local: disk.texts,
    branch: new Map(branch === undefined ? [] : [[A, branch]]),
    isComplete: true,
  });
  const open = (): ProposalReview =>
    new ProposalReview(
      { files: disk, records: recordsIn(stored), classifier, engine },
      { turn: '1-message', blocks: proposedBlocks(answer), modelPath: 'model' },
    );
  const review = open();
  /** Shows and accepts proposals, as the user does. */
  const accept = async (...wanted: readonly string[]): Promise<void> => {
    await review.changes(wanted);
    expect(await review.accept(wanted)).toEqual({ unseen: [], conflicts: [] });
  };
  return { disk, stored, review, open, accept };
}

export const states = async (subject: ProposalReview): Promise<readonly string[]> =>
  (await subject.items()).map(({ state }) => state);
