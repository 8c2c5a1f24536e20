import { visible } from '#shared/page/visible.ts';
import type { PlaygroundModel } from './model.ts';

/** Shows which pre-aggregation serves the query, and for every other one the rules that failed. */
export function PreAggregations({ model }: { readonly model: PlaygroundModel }) {
  const shown = model.preAggregations.value;
  const isWrong = model.checked.value.problems.length > 0;
  const phase = shown?.phase ?? 'none';
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="secondary"
          disabled={phase === 'loading' || isWrong}
          onClick={() => model.post({ type: 'explain' })}
        >
          Explain
        </button>
        {shown?.canPropose === true && (
          <button type="button" onClick={() => model.post({ type: 'propose' })}>
            Propose Pre-aggregation…
          </button>
        )}
        {phase === 'none' && <Hint isWrong={isWrong} />}
      </div>
      {shown && shown.text !== '' && (
        <p class={classOf[shown.phase]} role="status">
          {visible(shown.text)}
        </p>
      )}
      {shown && shown.note !== '' && <p class="hint">{visible(shown.note)}</p>}
      {phase === 'ready' && shown && <Candidates shown={shown} />}
    </>
  );
}

const classOf = { none: 'hint', loading: 'hint', ready: undefined, failed: 'problem' } as const;

function Hint({ isWrong }: { readonly isWrong: boolean }) {
  return (
    <span class="hint">
      {isWrong
        ? 'The query is not complete yet.'
        : 'The query has changed. Explain it to see which pre-aggregation serves it.'}
    </span>
  );
}

type Shown = NonNullable<PlaygroundModel['preAggregations']['value']>;

function Candidates({ shown: { candidates, obstacles } }: { readonly shown: Shown }) {
  return (
    <>
      <ul class="playground-candidates">
        {candidates.map(({ id, kind, isUsed, reasons }) => (
          <li key={id}>
            <strong>{visible(id)}</strong> <span class="hint">{isUsed ? `${visible(kind)}, used` : visible(kind)}</span>
            <Reasons texts={reasons} />
          </li>
        ))}
      </ul>
      {obstacles.length > 0 && (
        <>
          <p>No pre-aggregation can serve this query:</p>
          <Reasons texts={obstacles} />
        </>
      )}
      <p class="hint">
        Judged on this machine from the files of the folder, unsaved changes included. The platform uses a
        pre-aggregation once it has built it.
      </p>
    </>
  );
}

function Reasons({ texts }: { readonly texts: readonly string[] }) {
  return texts.length === 0 ? null : (
    <ul>
      {texts.map((text) => (
        <li key={text}>{visible(text)}</li>
      ))}
    </ul>
  );
}
