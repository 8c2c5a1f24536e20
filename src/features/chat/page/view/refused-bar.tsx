import { visible } from '#shared/page/visible.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Icon } from './icons.tsx';

/** Why the question was not sent, with the ways to continue. */
export function RefusedBar({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const refused = model.refused.value;
  if (!refused) return model.thread.value?.elsewhere === true ? <ReadOnly /> : null;
  const again = (branch: 'switch' | 'newThread'): void => {
    const context = [...model.contextOn.value];
    post({ type: 'send', prompt: refused.prompt, branch, ...(context.length === 0 ? {} : { context }) });
    model.refused.value = undefined;
    model.handOver(refused.prompt);
  };
  return (
    <div class="remark" role="group" aria-label="Not sent">
      <Icon name="warning" />
      <span dir="auto">{visible(refused.message)}</span>
      <span class="remark-actions">
        {(refused.reason === 'branchChanged' || refused.reason === 'elsewhere') && (
          <button type="button" onClick={() => again('newThread')}>
            New Thread
          </button>
        )}
        {refused.reason === 'branchChanged' && (
          <button type="button" class="secondary" onClick={() => again('switch')}>
            Continue Here
          </button>
        )}
        <button type="button" class="secondary" onClick={() => (model.refused.value = undefined)}>
          Dismiss
        </button>
      </span>
    </div>
  );
}

/** Why the shown thread takes no questions. */
function ReadOnly() {
  const { post } = useActions();
  return (
    <div class="remark" role="group" aria-label="Read only">
      <Icon name="info" />
      <span>This thread belongs to another deployment or account: it can be read, not continued.</span>
      <span class="remark-actions">
        <button type="button" class="secondary" onClick={() => post({ type: 'newThread' })}>
          New Thread
        </button>
      </span>
    </div>
  );
}
