import type { DiffLine, ReviewDetail, ReviewState } from '#features/review/messages.ts';
import { visible, visibleName } from '#shared/page/visible.ts';
import type { ReviewModel } from './model.ts';

interface Shown {
  readonly model: ReviewModel;
  readonly state: ReviewState;
}

/** Shows the difference of the current row. */
export function Detail({ model, state }: Shown) {
  const entry = model.current;
  if (entry?.type !== 'row') return null;
  const { row } = entry;
  const detail = model.detail.value;
  return (
    <section class="detail" aria-label={`Diff of ${visible(row.path)}`}>
      <div class="detail-head">
        <h2 title={visibleName(row.path)}>{visibleName(row.path)}</h2>
        <button
          type="button"
          class="secondary"
          title="Open in the diff editor (Enter)"
          onClick={() => model.post({ type: 'open', id: row.id })}
        >
          Open Diff
        </button>
        <button
          type="button"
          class="secondary"
          title="Put a question about this file into the chat"
          onClick={() => model.post({ type: 'ask', id: row.id })}
        >
          Ask the Agent
        </button>
        {state.explains && (
          <button
            type="button"
            class="secondary"
            title="Why is this file here? (W)"
            onClick={() => model.post({ type: 'explain', id: row.id })}
          >
            Explain
          </button>
        )}
      </div>
      {row.note !== undefined && <p class="row-note">{visible(row.note)}</p>}
      {detail?.id === row.id ? <Texts detail={detail} /> : <p class="hint">Loading…</p>}
    </section>
  );
}

function Texts({ detail }: { readonly detail: ReviewDetail }) {
  return (
    <>
      {detail.changes.length > 0 && (
        <ul class="changes" tabIndex={0} aria-label="Changes of the model">
          {detail.changes.map((change) => (
            <li key={change}>{visible(change)}</li>
          ))}
        </ul>
      )}
      {detail.text !== '' && <p class={detail.state === 'failed' ? 'problem' : 'hint'}>{visible(detail.text)}</p>}
      {detail.state === 'loading' && <p class="hint">Loading…</p>}
      {detail.lines.length > 0 && (
        <div class="diff" tabIndex={0} role="region" aria-label="Lines that differ">
          <div class="diff-lines">
            {detail.lines.map((line, at) => (
              <Line key={at} line={line} />
            ))}
            {detail.more > 0 && (
              <div class="diff-line skipped">{detail.more} more lines. Open the diff to see all of them.</div>
            )}
          </div>
        </div>
      )}
    </>
  );
}

function Line({ line: { kind, text } }: { readonly line: DiffLine }) {
  return (
    <div class={`diff-line ${kind}`}>
      <span class="sign">{signs[kind]}</span>
      <span class="text">{visible(text)}</span>
    </div>
  );
}

const signs: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '-', skipped: '⋯' };
