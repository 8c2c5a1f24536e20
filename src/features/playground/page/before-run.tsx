import { visible } from '#shared/page/visible.ts';
import type { PlaygroundModel } from './model.ts';

interface BeforeRunProps {
  readonly model: PlaygroundModel;
  /** What the run will show. */
  readonly shown: 'rows' | 'chart';
}

/** Names what is missing until the first run: members, a valid query, or only the run itself. */
export function BeforeRun({ model, shown }: BeforeRunProps) {
  return <p class="hint">{visible(missingText(model, shown))}</p>;
}

function missingText({ checked, showsProblems }: PlaygroundModel, shown: BeforeRunProps['shown']): string {
  const { problems, forms } = checked.value;
  if (forms.length > 0) return `Run the query (Ctrl+Enter) to see its ${shown} here.`;
  const [problem] = problems;
  if (!problem || problems.some(({ field }) => field === 'query'))
    return `Choose members and run the query to see its ${shown} here.`;
  return showsProblems.value
    ? `Correct the query to see its ${shown} here.`
    : `The query cannot run yet: ${problem.message}`;
}
