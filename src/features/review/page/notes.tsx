import type { ReviewLink, ReviewSection, ReviewState } from '#features/review/messages.ts';
import { visible } from '#shared/page/visible.ts';
import type { ReviewModel } from './model.ts';

interface Shown {
  readonly model: ReviewModel;
  readonly state: ReviewState;
}

/** Shows warnings and what the step means: its build, the model, the affected users. */
export function Notes({ model, state }: Shown) {
  return (
    <div class="notes">
      {state.warnings.map(({ id, severity, text, link }) => (
        <p key={id} class={`note ${severity}`} role={severity === 'error' ? 'alert' : undefined}>
          <Mark of={severity} /> <span>{visible(text)}</span> <Link model={model} link={link} />
        </p>
      ))}
      {state.sections.map((section) => (
        <Section key={section.id} model={model} section={section} />
      ))}
    </div>
  );
}

function Section({ model, section }: { readonly model: ReviewModel; readonly section: ReviewSection }) {
  const { title, summary, state, lines, link } = section;
  const heading = (
    <>
      <Mark of={state} /> <strong>{visible(title)}</strong> <span>{visible(summary)}</span>
    </>
  );
  if (lines.length === 0) {
    return (
      <p class="section">
        {heading} <Link model={model} link={link} />
      </p>
    );
  }
  return (
    <details class="section">
      <summary>{heading}</summary>
      <ul>
        {lines.map(({ severity, text }, at) => (
          <li key={at} class={severity}>
            {visible(text)}
          </li>
        ))}
      </ul>
      <Link model={model} link={link} />
    </details>
  );
}

function Link({ model, link }: { readonly model: ReviewModel; readonly link: ReviewLink | undefined }) {
  if (!link) return null;
  return (
    <button type="button" class="link" onClick={() => model.post({ type: 'run', id: link.id })}>
      {visible(link.label)}
    </button>
  );
}

type Marked = ReviewSection['state'] | 'info';

/** Shows a symbol with its name, so that the colour is never the only hint. */
function Mark({ of: state }: { readonly of: Marked }) {
  const [sign, name] = marks[state];
  return (
    <>
      <span class={`mark ${state}`} aria-hidden="true">
        {sign}
      </span>
      <span class="sr-only">{name}</span>
    </>
  );
}

const marks: Readonly<Record<Marked, readonly [sign: string, name: string]>> = {
  info: ['ⓘ', 'Information:'],
  warning: ['⚠', 'Warning:'],
  error: ['✕', 'Error:'],
  ok: ['✓', ''],
  loading: ['…', 'Loading:'],
  unknown: ['?', ''],
};
