import type { ComponentChildren } from 'preact';
import type { TurnPhase, ViewTurnHead } from '#features/chat/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { Icon, type IconName } from './icons.tsx';

interface StateProps {
  readonly head: ViewTurnHead;
  readonly phase: TurnPhase;
  readonly isLast: boolean;
  readonly hasText: boolean;
}

/** The progress or outcome of the turn, with the button that helps. */
export function TurnState({ head, phase, isLast, hasText }: StateProps) {
  switch (phase) {
    case 'sending':
      return <Progress>Sending…</Progress>;
    case 'streaming':
      if (head.quiet) return <Progress>Still working; the platform has been silent for a while…</Progress>;
      return <Progress>{hasText ? '' : 'Thinking…'}</Progress>;
    case 'reconnecting':
      if (head.note !== undefined) return <Progress>{`${head.note} Trying again until you stop it…`}</Progress>;
      return <Progress>Connection lost. Reconnecting…</Progress>;
    case 'stopping':
      return <Progress>Stopped here. Waiting for the platform to confirm…</Progress>;
    case 'interrupted':
      return (
        <Remark icon="info" text="The window was closed before the answer was complete.">
          {isLast && <Again turn={head.id} label="Continue" />}
        </Remark>
      );
    case 'stopped':
      return (
        <Remark icon={head.note === undefined ? 'stop' : 'warning'} text={stoppedText(head.note)}>
          {isLast && <Again turn={head.id} label="Ask Again" />}
        </Remark>
      );
    case 'failed':
      return <Failure head={head} isLast={isLast} />;
    default:
      return null;
  }
}

function stoppedText(note: string | undefined): string {
  return note === undefined ? 'Stopped.' : `Stopped. ${note}`;
}

function Failure({ head, isLast }: { readonly head: ViewTurnHead; readonly isLast: boolean }) {
  const { post } = useActions();
  const { problem } = head;
  return (
    <div class="remark remark-error" role="group" aria-label="Problem">
      <Icon name="error" />
      <span dir="auto">{visible(problem?.message ?? 'The answer failed.')}</span>
      {isLast && (
        <span class="remark-actions">
          {problem?.kind === 'busy' && (
            <button type="button" onClick={() => post({ type: 'follow' })}>
              Follow That Answer
            </button>
          )}
          {problem?.kind === 'credential' && (
            <button type="button" onClick={() => post({ type: 'setUp', what: 'credential' })}>
              Change Credential…
            </button>
          )}
          <Again turn={head.id} label="Retry" />
        </span>
      )}
    </div>
  );
}

function Again({ turn, label }: { readonly turn: string; readonly label: string }) {
  const { post } = useActions();
  return (
    <button type="button" class="secondary" onClick={() => post({ type: 'retry', turn })}>
      {label}
    </button>
  );
}

function Progress({ children }: { readonly children: string }) {
  return (
    <div class="progress-line">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span dir="auto">{visible(children)}</span>
    </div>
  );
}

function Remark(props: { readonly icon: IconName; readonly text: string; readonly children: ComponentChildren }) {
  return (
    <div class="remark">
      <Icon name={props.icon} />
      <span dir="auto">{visible(props.text)}</span>
      <span class="remark-actions">{props.children}</span>
    </div>
  );
}
