import { readableTime } from '#base/timestamps.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewThreadItem } from '#features/chat/messages.ts';
import { visible } from '#shared/page/visible.ts';
import type { ChatModel } from '../model.ts';
import { useActions } from './actions.ts';
import { shortTime } from './dates.ts';
import { IconButton } from './icons.tsx';

/** The threads stored on this machine, with a filter. */
export function Threads({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const [query, setQuery] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The focus moves into the list, and back to the composer.
  useEffect(() => {
    field.current?.focus();
    return () => {
      model.hostRequest.value = 'focus';
    };
  }, []);
  const wanted = query.trim().toLowerCase();
  useEffect(() => model.searchThreads(wanted), [wanted]);
  const excerpts = new Map(model.foundThreads.value.map(({ key, excerpt }) => [key, excerpt]));
  const list = model.threads.value.filter(
    ({ key, title }) => title.toLowerCase().includes(wanted) || excerpts.has(key),
  );
  return (
    <section class="threads" aria-label="Threads">
      <div class="threads-head">
        <input
          ref={field}
          type="search"
          dir="auto"
          placeholder="Find a thread"
          aria-label="Find a thread"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        {model.threads.value.length > 0 && (
          <IconButton icon="trash" label="Delete All Threads…" onClick={() => post({ type: 'deleteAllThreads' })} />
        )}
        <IconButton icon="close" label="Close Threads" onClick={() => (model.showsThreads.value = false)} />
      </div>
      {list.length === 0 && <p class="hint">{wanted === '' ? 'No threads yet.' : 'No thread contains this text.'}</p>}
      <ul>
        {list.map((item) => (
          <ThreadRow key={item.key} model={model} item={item} excerpt={excerpts.get(item.key)} />
        ))}
      </ul>
    </section>
  );
}

/** One thread; `excerpt` is the match in its texts. */
function ThreadRow(props: {
  readonly model: ChatModel;
  readonly item: ViewThreadItem;
  readonly excerpt: string | undefined;
}) {
  const { model, item, excerpt } = props;
  const { post } = useActions();
  const open = (): void => {
    model.showsThreads.value = false;
    post({ type: 'openThread', key: item.key });
  };
  return (
    <li class={item.key === model.thread.value?.key ? 'thread thread-current' : 'thread'}>
      <button type="button" class="thread-open" onClick={open}>
        <span class="thread-title" dir="auto">
          {visible(item.title)}
        </span>
        {excerpt !== undefined && (
          <span class="hint thread-about" dir="auto">
            {visible(excerpt)}
          </span>
        )}
        <span class="hint thread-about" dir="auto" title={readableTime(item.updatedAt)}>
          {about(item)}
        </span>
      </button>
      <IconButton
        icon="edit"
        label={`Rename ${item.title}…`}
        onClick={() => post({ type: 'renameThread', key: item.key })}
      />
      <IconButton
        icon="trash"
        label={`Delete ${item.title}…`}
        onClick={() => post({ type: 'deleteThread', key: item.key })}
      />
    </li>
  );
}

function about(item: ViewThreadItem): string {
  const parts = [
    item.running ? 'answering…' : shortTime(item.updatedAt),
    item.branch === undefined ? '' : visible(item.branch),
    item.elsewhere ? 'another deployment' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
