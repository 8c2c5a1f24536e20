import { Fragment } from 'preact';
import type { ViewQueued } from '#features/chat/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { IconButton } from './icons.tsx';

/** The questions that wait for the end of the running answer. */
export function Queue({ queued }: { readonly queued: readonly ViewQueued[] }) {
  const { post } = useActions();
  if (queued.length === 0) return null;
  return (
    <ul class="queue" aria-label="Queued questions">
      {queued.map(({ id, text, attached, held }) => (
        <li key={id}>
          <span class="queue-text" dir="auto" title={visible(text)}>
            {visible(text)}
          </span>
          <span class="hint queue-about">
            {held ? 'Not sent' : 'Sent after this answer'}
            {attached.map((name) => (
              <Fragment key={name}>
                {' · '}
                <bdi>{visible(name)}</bdi>
              </Fragment>
            ))}
          </span>
          {held && (
            <IconButton
              icon="send"
              label={`Send now: ${text}`}
              onClick={() => post({ type: 'queued', id, action: 'send' })}
            />
          )}
          <IconButton
            icon="edit"
            label={`Edit: ${text}`}
            onClick={() => post({ type: 'queued', id, action: 'edit' })}
          />
          <IconButton
            icon="close"
            label={`Do not send: ${text}`}
            onClick={() => post({ type: 'queued', id, action: 'remove' })}
          />
        </li>
      ))}
    </ul>
  );
}
