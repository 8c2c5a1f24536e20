import { useContext } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import { foundName } from '../found-names.ts';
import { useActions } from '../view/actions.ts';
import { ModelContext } from '../view/model-context.ts';

/** Code in a line; the name of a cube, view or member that the agent found leads to its definition. */
export function CodeSpan({ text }: { readonly text: string }) {
  const { post } = useActions();
  // Read once: what was found came before the text that names it, and a long answer is not drawn again for each search.
  const thread = useContext(ModelContext)?.thread.peek();
  const found = thread && foundName(thread, text);
  if (!found) return <code>{visible(text)}</code>;
  const about = [`${found.title} (${found.kind})`, found.description ?? ''].filter((part) => part !== '').join('\n');
  return (
    <button
      type="button"
      class="link"
      title={visible(about)}
      onClick={() => post({ type: 'openMember', name: found.name })}
    >
      <code>{visible(text)}</code>
    </button>
  );
}
