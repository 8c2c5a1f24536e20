import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type ContextKind, isRunningPhase } from '#features/chat/messages.ts';
import type { ChatModel } from '../model.ts';
import { Recall } from '../recall.ts';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { ContextChips } from './context-chips.tsx';
import { Icon, IconButton } from './icons.tsx';
import { ModelContext } from './model-context.ts';
import { Queue } from './queue.tsx';
import { SUGGEST_ID, Suggest, suggestionId } from './suggest.tsx';
import { type Offer, useSuggest } from './use-suggest.ts';
import { RefusedBar } from './refused-bar.tsx';

/** The composer. Enter sends (or Ctrl+Enter by setting), Shift+Enter breaks the line, Esc stops the answer. */
export function Composer() {
  const model = useContext(ModelContext);
  return model ? <Form model={model} /> : null;
}

function Form({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const draft = model.draft.value;
  const { target } = model.header.value;
  const canSend = draft.trim() !== '' && target !== undefined && model.thread.value?.elsewhere !== true;
  const offer = useSuggest(model);

  const send = (): void => {
    if (!canSend) return;
    post({ type: 'send', prompt: draft, branch: 'ask', ...along(model) });
    model.refused.value = undefined;
    model.handOver(draft);
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <RefusedBar model={model} />
      <Queue queued={model.thread.value?.queued ?? []} />
      <ContextChips model={model} />
      <Suggest list={offer.list} active={offer.active} onPick={offer.pick} />
      <div class="composer-box">
        <Field model={model} offer={offer} send={send} />
        <Buttons model={model} canSend={canSend} />
      </div>
    </form>
  );
}

/** The text field: grows with its text, and keeps the keyboard focus while suggestions are shown. */
function Field(props: { readonly model: ChatModel; readonly offer: Offer; readonly send: () => void }) {
  const { model, offer, send } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const recall = useRef(new Recall());
  const draft = model.draft.value;
  const { sendWith } = model.header.value;
  useEffect(() => {
    if (model.hostRequest.value !== 'focus') return;
    model.hostRequest.value = undefined;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [model.hostRequest.value]);
  useEffect(() => fit(field.current), [draft]);
  // Keeps the cursor after a suggestion that was inserted into the middle of the draft.
  useLayoutEffect(() => {
    const element = field.current;
    const at = model.cursor.value;
    if (element && document.activeElement === element && element.selectionStart !== at && element.value === draft)
      element.setSelectionRange(at, at);
  }, [draft]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (offer.onKey(event) || isComposing(event)) return;
    if (recalls(model, recall.current, event)) event.preventDefault();
    if (event.key !== 'Enter') return;
    const modified = event.ctrlKey || event.metaKey;
    if (event.shiftKey || event.altKey || (sendWith === 'ctrlEnter' && !modified)) return;
    event.preventDefault();
    send();
  };
  const offered = { 'aria-controls': SUGGEST_ID, 'aria-activedescendant': suggestionId(offer.active) };
  return (
    <textarea
      ref={field}
      rows={1}
      dir="auto"
      value={draft}
      aria-label="Question for the agent"
      aria-autocomplete="list"
      {...(offer.list.length > 0 ? offered : {})}
      placeholder={placeholder(model)}
      onInput={({ currentTarget }) => model.setDraft(currentTarget.value, currentTarget.selectionStart)}
      onSelect={({ currentTarget }) => (model.cursor.value = currentTarget.selectionStart)}
      onKeyDown={onKeyDown}
    />
  );
}

function Buttons({ model, canSend }: { readonly model: ChatModel; readonly canSend: boolean }) {
  const { post } = useActions();
  const last = model.thread.value?.turns.at(-1)?.head;
  const stopping = last?.phase === 'stopping' || (last !== undefined && model.stopping.value === last.id);
  const running = last !== undefined && isRunningPhase(last.phase) && !stopping;
  const sendKey = model.header.value.sendWith === 'enter' ? 'Enter' : 'Ctrl+Enter';
  return (
    <div class="composer-actions">
      <IconButton
        icon="attach"
        label="Attach File, Selection or Model Member…"
        onClick={() => post({ type: 'attach', what: 'pick' })}
      />
      <Pickers model={model} />
      <span class="hint composer-hint">
        <span>{sendKey} to send</span>
      </span>
      {running && (
        <button type="button" class="stop" title="Stop (Esc)" onClick={() => stop(model, post)}>
          <Icon name="stop" /> Stop
        </button>
      )}
      {(!running || canSend) && (
        <button
          type="submit"
          class="send"
          disabled={!canSend}
          title={`${running ? 'Send after this answer' : 'Send'} (${sendKey})`}
          aria-label={running ? 'Send after this answer' : 'Send'}
        >
          <Icon name="send" />
        </button>
      )}
    </div>
  );
}

/** The agent that the next question goes to, and the branch it runs on; both can be changed here. */
function Pickers({ model }: { readonly model: ChatModel }) {
  const { post } = useActions();
  const { target } = model.header.value;
  if (!target) return null;
  const { agent, branch } = target;
  return (
    <>
      {agent !== undefined && (
        <button
          type="button"
          class="picker"
          title={`${visible(agent)}: choose another agent`}
          aria-label={`${visible(agent)}: choose another agent`}
          onClick={() => post({ type: 'setUp', what: 'agent' })}
        >
          <Icon name="sparkle" /> <span dir="auto">{visible(agent)}</span>
        </button>
      )}
      {branch && (
        <button
          type="button"
          class="picker"
          title={`Branch ${visible(branch.name)}: switch to another one`}
          aria-label={`Branch ${visible(branch.name)}: switch to another one`}
          onClick={() => post({ type: 'switchBranch' })}
        >
          <Icon name="branch" /> <span dir="auto">{visible(branch.name)}</span>
        </button>
      )}
    </>
  );
}

/** Returns the context to attach to a question: exactly the chips that are on. */
function along(model: ChatModel): { readonly context?: ContextKind[] } {
  const on = model.contextOn.value;
  return on.length === 0 ? {} : { context: [...on] };
}

/** Shows the answer as stopped at once; the host sends what follows. */
export function stop(model: ChatModel, post: (message: { readonly type: 'stop' }) => void): void {
  const last = model.thread.value?.turns.at(-1)?.head;
  if (!last || !isRunningPhase(last.phase) || last.phase === 'stopping') return;
  model.stopping.value = last.id;
  model.announcement.value = 'Stopping';
  post({ type: 'stop' });
  model.hostRequest.value = 'focus';
}

/** Recalls an earlier question, or returns from one, only where the key would not move the cursor. Returns whether it did. */
function recalls(model: ChatModel, recall: Recall, { key, currentTarget }: KeyboardEvent): boolean {
  if (!(currentTarget instanceof HTMLTextAreaElement) || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false;
  const draft = model.draft.value;
  const { selectionStart, selectionEnd, value } = currentTarget;
  const isAtEdge = selectionStart === selectionEnd && (selectionStart === 0 || selectionStart === value.length);
  if (!recall.isShowing(draft) && (key === 'ArrowDown' || selectionStart !== 0 || selectionEnd !== 0)) return false;
  if (!isAtEdge) return false;
  const text = key === 'ArrowUp' ? recall.older(model.earlier, draft) : recall.newer(model.earlier, draft);
  if (text !== undefined) model.setDraft(text);
  return text !== undefined;
}

/** Short enough for a narrow side bar; the header shows the branch. */
function placeholder(model: ChatModel): string {
  return model.thread.value?.elsewhere === true ? 'Read only' : 'Ask about your data';
}

/** Whether Enter ends the composition of a character, in which case it does not send. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** Makes the field as high as its text, up to a third of the view. */
function fit(element: HTMLTextAreaElement | null): void {
  if (!element) return;
  element.style.height = 'auto';
  element.style.height = `${Math.min(element.scrollHeight, Math.max(72, window.innerHeight / 3))}px`;
}
