import { plural } from '#base/words.ts';
import type { ModelDiffLine, ModelDiff } from '#features/review/index.ts';
import { visibilityKeys } from './definition-rules.ts';
import { isLoss, type ModelChange, type ModelImpact, queryLine, wholeLine } from './model-changes.ts';

/** Describes what a change of the model means for those who query it, with what breaks first. */
export function modelDiffOf({ changes, broken, queries, incomplete }: ModelImpact): ModelDiff {
  const sorted = order.flatMap((rank) => wholeFirst(changes).filter((change) => rankOf(change) === rank));
  const lines: readonly ModelDiffLine[] = [
    ...broken.map((reference) => ({ severity: 'warning' as const, text: brokenLine(reference) })),
    ...sorted.map((change): ModelDiffLine => ({ severity: severityOf(change), text: wholeLine(change) })),
    ...queries.map((use): ModelDiffLine => ({ severity: 'info', text: queryLine(use) })),
    ...(incomplete
      ? [{ severity: 'info' as const, text: 'What only templates or code define or use is not listed.' }]
      : []),
  ];
  const counts = order.flatMap((rank) =>
    countsOf(
      rank,
      wholeFirst(changes).filter((each) => rankOf(each) === rank),
    ),
  );
  if (broken.length > 0) counts.unshift(`${plural(broken.length, 'reference')} broken`);
  return { summary: counts.join(', ') || 'nothing that queries or users see', lines };
}

type Rank = ModelChange['kind'] | 'presentation';

/** Changes that break queries come first, what is only shown differently last. */
const order: readonly Rank[] = ['removed', 'renamed', 'retyped', 'redefined', 'added', 'presentation'];

function rankOf(change: ModelChange): Rank {
  return change.kind === 'redefined' && change.keys.length === 0 ? 'presentation' : change.kind;
}

function severityOf(change: ModelChange): ModelDiffLine['severity'] {
  if (change.kind !== 'redefined') return isLoss(change) ? 'warning' : 'info';
  // Who may no longer see something gets an error, or fewer rows.
  return change.keys.some((key) => visibilityKeys.has(key)) ? 'warning' : 'info';
}

/** Sorts cubes and views before members. */
function wholeFirst(changes: readonly ModelChange[]): readonly ModelChange[] {
  return [...changes.filter(({ what }) => what !== 'member'), ...changes.filter(({ what }) => what === 'member')];
}

/** Returns texts such as `1 cube removed` or `2 members removed` for changes of one kind. */
function countsOf(rank: Rank, changes: readonly ModelChange[]): readonly string[] {
  const done = rank === 'presentation' ? 'shown differently' : rank;
  return [...Map.groupBy(changes, ({ what }) => what)].map(([what, same]) => `${plural(same.length, what)} ${done}`);
}

function brokenLine({ names, key, owner, path }: ModelImpact['broken'][number]): string {
  return `breaks ${names} in ${key} of ${owner} (${path})`;
}
