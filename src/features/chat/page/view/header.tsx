import type { ViewBranch } from '#features/chat/messages.ts';
import { visible } from '#shared/page/visible.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { Icon, IconButton } from './icons.tsx';

/** The thread's name, its agent, and the branch on which the next question will run. */
export function Header({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const { target } = model.header.value;
  const thread = model.thread.value;
  const shows = model.showsThreads.value;
  return (
    <header class="header">
      <div class="header-names">
        <h1 dir="auto" title={visible(thread?.title ?? '')}>
          {visible(thread?.title || 'New Thread')}
        </h1>
        <div class="header-target">
          {target && (
            <span class="hint" dir="auto">
              {visible(target.label)}
            </span>
          )}
          {target?.branch && <BranchBadge branch={target.branch} />}
        </div>
      </div>
      <div class="header-actions">
        <IconButton
          icon="search"
          label="Find in This Thread (Ctrl+F)"
          onClick={() => (model.finds.value = !model.finds.value)}
        />
        <IconButton icon="add" label="New Thread" onClick={() => post({ type: 'newThread' })} />
        <button
          type="button"
          class="icon-button"
          title="Threads"
          aria-label="Threads"
          aria-expanded={shows}
          onClick={() => (model.showsThreads.value = !shows)}
        >
          <Icon name="history" />
        </button>
      </div>
    </header>
  );
}

/** A badge for the branch. Queries on the deploy branch read production, so it is marked. */
function BranchBadge({ branch }: { readonly branch: ViewBranch }) {
  const name = visible(branch.name);
  const about = branch.isDefault ? 'Questions run on the deploy branch' : 'Questions run on this branch';
  return (
    <span class={branch.isDefault ? 'branch branch-default' : 'branch'} title={`${about}: ${name}`}>
      <Icon name="branch" />{' '}
      <span class="branch-name" dir="auto">
        {name}
      </span>
    </span>
  );
}
