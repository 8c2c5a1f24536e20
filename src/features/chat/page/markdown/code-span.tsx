import { useContext } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import { foundName } from '../found-names.ts';
import { useActions } from '../view/actions.ts';
import { ModelContext } from '../view/model-context.ts';

/** Inline code; the name of a cube, view or member that the agent found links to its definition. */
export function CodeSpan({ text }: { readonly text: string }) {
  const { post } = useActions();
  // Read once: names are found before the text that mentions them, and a long answer should not render again for each search.
  const thread = useContext(ModelContext)?.thread.peek();
  const found = thread && foundName(thread, text);
  if (!found) return <code dir="auto">{visible(text)}</code>;
  const about = [`${found.title} (${found.kind})`, found.description ?? ''].filter((part) => part !== '').join('\n');
  return (
    <button
      type="button"
      class="link"
      title={visible(about)}
      onClick={() => post({ type: 'openMember', name: found.name })}
    >
      <code dir="auto">{visible(text)}</code>
    </button>
  );
}
