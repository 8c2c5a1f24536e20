import { plural } from '#base/words.ts';
import type { MeaningLine, ModelMeaning } from '#features/review/index.ts';
import { changeLine, type ModelChange, type ModelImpact } from './model-changes.ts';

/** Describes what a change of the model means for those who query it, with what breaks first. */
export function meaningOf({ changes, broken, incomplete }: ModelImpact): ModelMeaning {
  const lines: readonly MeaningLine[] = [
    ...broken.map((reference) => ({ severity: 'warning' as const, text: brokenLine(reference) })),
    ...order.flatMap((kind) =>
      wholeFirst(changes).flatMap((change): readonly MeaningLine[] =>
        change.kind === kind ? [{ severity: kind === 'added' ? 'info' : 'warning', text: changeLine(change) }] : [],
      ),
    ),
    ...(incomplete
      ? [{ severity: 'info' as const, text: 'What only templates or code define or use is not listed.' }]
      : []),
  ];
  const counts = order.flatMap((kind) => countsOf(wholeFirst(changes).filter((change) => change.kind === kind)));
  if (broken.length > 0) counts.unshift(`${plural(broken.length, 'reference')} broken`);
  return { summary: counts.join(', ') || 'no name that queries can use', lines };
}

/** Changes that break queries come first. */
const order: readonly ModelChange['kind'][] = ['removed', 'renamed', 'retyped', 'added'];

/** Sorts cubes and views before members. */
function wholeFirst(changes: readonly ModelChange[]): readonly ModelChange[] {
  return [...changes.filter(({ what }) => what !== 'member'), ...changes.filter(({ what }) => what === 'member')];
}

/** Returns texts such as `1 cube removed` or `2 members removed` for changes of one kind. */
function countsOf(changes: readonly ModelChange[]): readonly string[] {
  return [...Map.groupBy(changes, ({ what }) => what)].flatMap(([what, same]) => {
    const [first] = same;
    return first ? [`${plural(same.length, what)} ${first.kind}`] : [];
  });
}

function brokenLine({ names, key, owner, path }: ModelImpact['broken'][number]): string {
  return `breaks ${names} in ${key} of ${owner} (${path})`;
}
