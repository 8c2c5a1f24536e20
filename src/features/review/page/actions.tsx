import type { ReviewState } from '#features/review/messages.ts';
import { plural } from '#base/words.ts';
import { visible } from '#shared/page/visible.ts';
import type { ReviewModel } from './model.ts';
import { tickSummary } from './unticked.ts';

interface Shown {
  readonly model: ReviewModel;
  readonly state: ReviewState;
}

/**
 * Shows the input of the step, the number of ticked files, and the primary button. They are above the list, because VS Code's
 * notifications cover the lower right corner.
 */
export function Actions({ model, state }: Shown) {
  const { whyNot } = model;
  const message = model.notice || summary(model, state);
  return (
    <div class="actions">
      <Fields model={model} state={state} />
      <div class="go">
        <p class="said" role="status">
          {visible(message)}
        </p>
        {state.ticked.length > 0 && isPartlyTicked(model) && <Unticked model={model} />}
        <button type="button" class="secondary" onClick={() => model.post({ type: 'close' })}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          aria-disabled={whyNot !== ''}
          title={whyNot === '' ? `${visible(state.action.label)} (Ctrl+Enter, ⌘Enter)` : visible(whyNot)}
          onClick={() => model.apply()}
        >
          {visible(state.action.label)}
        </button>
      </div>
    </div>
  );
}

/** Shows the way to what stays out of the step, which may be far from the row that the user sees. */
function Unticked({ model }: { readonly model: ReviewModel }) {
  const show = (): void => {
    model.moveToUnticked();
    document.querySelector<HTMLElement>('[role=tree]')?.focus();
  };
  return (
    <button type="button" class="link" title="Go to the next file without a tick (U)" onClick={show}>
      Next Unticked
    </button>
  );
}

function Fields({ model, state: { message, options, confirmation } }: Shown) {
  return (
    <>
      {message && (
        <label class="field">
          <span>{visible(message.label)}</span>
          <textarea
            rows={2}
            placeholder={message.placeholder}
            value={model.message.value}
            onInput={({ currentTarget }) => model.setMessage(currentTarget.value)}
          />
        </label>
      )}
      {options.map(({ id, label }) => (
        <label key={id} class="option">
          <input
            type="checkbox"
            checked={model.options.value.has(id)}
            onChange={({ currentTarget }) => model.setOption(id, currentTarget.checked)}
          />
          <span>{visible(label)}</span>
        </label>
      ))}
      {confirmation && (
        <label class="field confirmation">
          <span>{visible(confirmation.label)}</span>
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder={confirmation.expected}
            value={model.typed.value}
            onInput={({ currentTarget }) => model.setTyped(currentTarget.value)}
          />
        </label>
      )}
    </>
  );
}

function isPartlyTicked({ groups, ticked }: ReviewModel): boolean {
  return groups.value.some(({ rows }) => rows.some(({ id, canTick }) => canTick && !ticked.value.has(id)));
}

function summary(model: ReviewModel, state: ReviewState): string {
  if (state.busy !== '') return state.busy;
  const rows = model.groups.value.flatMap((group) => group.rows);
  const { whyNot } = state.action;
  const files = tickSummary(rows, model.ticked.value);
  if (files === '') return whyNot || plural(rows.length, 'file');
  return whyNot === '' ? files : `${files}. ${whyNot}`;
}
