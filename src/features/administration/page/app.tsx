import { useEffect } from 'preact/hooks';
import { plural } from '#base/words.ts';
import type { FormState } from '#features/administration/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { Fields } from './fields.tsx';
import { type FormModel, idOf } from './model.ts';

/** A document of the platform, shown field by field. */
export function App({ model }: { readonly model: FormModel }) {
  useSaveKey(model);
  const state = model.state.value;
  if (!state) return null;
  return (
    <main class="form">
      <Header model={model} state={state} />
      {state.problem !== '' && (
        <p class="problem whole" role="alert">
          {visible(state.problem)}
        </p>
      )}
      <Conflicts model={model} state={state} />
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save(model);
        }}
      >
        <Fields model={model} fields={state.fields} />
      </form>
    </main>
  );
}

/** Shows both values of each field that someone else changed meanwhile, and asks which one to keep. */
function Conflicts({ model, state: { conflicts } }: { readonly model: FormModel; readonly state: FormState }) {
  if (conflicts.length === 0) return null;
  return (
    <section class="conflicts" role="alert" aria-label="Changed on the platform meanwhile">
      <p>Someone changed this on the platform meanwhile. Choose which values to keep, then save again.</p>
      {conflicts.map(({ field, label, mine, theirs }) => (
        <fieldset key={field} class="field">
          <legend>{visible(label)}</legend>
          <p>
            Yours: <code>{visible(mine)}</code>
          </p>
          <p>
            On the platform: <code>{visible(theirs)}</code>
          </p>
          <div class="go">
            <button type="button" onClick={() => model.post({ type: 'decide', field, keep: 'mine' })}>
              Keep Mine
            </button>
            <button
              type="button"
              class="secondary"
              onClick={() => model.post({ type: 'decide', field, keep: 'theirs' })}
            >
              Take Theirs
            </button>
          </div>
        </fieldset>
      ))}
    </section>
  );
}

/** Connects the Save button to the form, so that Enter in a field presses it. */
const formId = 'document';

function Header({ model, state }: { readonly model: FormModel; readonly state: FormState }) {
  const wrong = model.hasTriedToSave.value ? model.wrong.value.length : 0;
  const status = wrong > 0 ? `${plural(wrong, 'field')} to correct` : state.isDirty ? 'Unsaved changes' : 'No changes';
  return (
    <header>
      <h1>{visible(state.title)}</h1>
      <p class="hint">{visible(state.owner)}</p>
      <div class="go">
        <button type="submit" form={formId}>
          Save
        </button>
        <button type="button" class="secondary" onClick={() => model.post({ type: 'showJson' })}>
          Edit as JSON
        </button>
        <span class="hint" role="status">
          {status}
        </span>
      </div>
    </header>
  );
}

/** Saves, or focuses the first field that must be corrected before. */
function save(model: FormModel): void {
  const wrong = model.save();
  if (wrong) document.querySelector<HTMLElement>(`#${CSS.escape(idOf(wrong.path))}`)?.focus();
}

/** Saves on Ctrl+S (⌘S on a Mac). VS Code’s own key would save before the last typed text arrives. */
function useSaveKey(model: FormModel): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey))
        return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) save(model);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [model]);
}
