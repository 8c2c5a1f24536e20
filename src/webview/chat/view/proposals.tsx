import { useContext, useEffect } from 'preact/hooks';
import type { ViewProposal, ViewToHost } from '#protocol/chat.ts';
import { visible } from '../../visible.ts';
import { useActions } from './actions.ts';
import { Icon } from './icons.tsx';
import { ModelContext } from './model-context.ts';

type Action = Extract<ViewToHost, { readonly type: 'proposal' }>['action'];
type Do = (action: Action, files: readonly ViewProposal[]) => void;

/** The model files that an answer proposes: each is looked at, accepted or rejected, and taken back again. */
export function Proposals({ turn }: { readonly turn: string }) {
  const model = useContext(ModelContext);
  const { post } = useActions();
  const files = model?.proposals.value.get(turn);
  useEffect(() => {
    if (!files) post({ type: 'proposal', turn, action: 'list', paths: [] });
  }, [turn]);
  if (!files || files.length === 0) return null;
  const act: Do = (action, some) => post({ type: 'proposal', turn, action, paths: some.map(({ path }) => path) });
  return (
    <section class="proposals" aria-label="Proposed changes">
      <div class="proposals-head">
        <Icon name="diff" />
        <span class="tool-summary">
          {files.length === 1 ? 'Proposed change' : `Proposed changes to ${files.length} files`}
        </span>
        {files.length > 1 && <All files={files} act={act} />}
      </div>
      <ul>
        {files.map((file) => (
          <File key={file.path} file={file} act={act} />
        ))}
      </ul>
    </section>
  );
}

function All({ files, act }: { readonly files: readonly ViewProposal[]; readonly act: Do }) {
  const open = files.filter(({ state, note }) => state === 'open' && note === undefined);
  const done = files.filter(({ canUndo }) => canUndo);
  return (
    <span class="proposal-actions">
      <button type="button" class="secondary" onClick={() => act('review', files)}>
        Review All
      </button>
      {open.length > 1 && (
        <>
          <button type="button" onClick={() => act('accept', open)}>
            Accept All
          </button>
          <button type="button" class="secondary" onClick={() => act('reject', open)}>
            Reject All
          </button>
        </>
      )}
      {open.length === 0 && done.length > 1 && (
        <button type="button" class="secondary" onClick={() => act('undo', done)}>
          Undo All
        </button>
      )}
    </span>
  );
}

function File({ file, act }: { readonly file: ViewProposal; readonly act: Do }) {
  const { path, state, isNew, added, removed, canUndo, note } = file;
  return (
    <li class={`proposal proposal-${state}`}>
      <div class="proposal-name">
        <button type="button" class="link" title="Review the change" onClick={() => act('review', [file])}>
          {visible(path)}
        </button>{' '}
        {isNew && <span class="badge">new</span>}{' '}
        <span class="proposal-counts" aria-label={`${added} lines added, ${removed} removed`} role="img">
          <span class="proposal-added">+{added}</span> <span class="proposal-removed">−{removed}</span>
        </span>
        {note !== undefined && <div class="hint">{visible(note)}</div>}
      </div>
      <span class="proposal-actions">
        {state === 'open' && (
          <>
            <button
              type="button"
              aria-label={`Accept ${path}`}
              disabled={note !== undefined}
              onClick={() => act('accept', [file])}
            >
              Accept
            </button>
            <button type="button" class="secondary" aria-label={`Reject ${path}`} onClick={() => act('reject', [file])}>
              Reject
            </button>
          </>
        )}
        {state !== 'open' && <span class="proposal-state">{state === 'accepted' ? 'Accepted' : 'Rejected'}</span>}
        {canUndo && (
          <button type="button" class="secondary" aria-label={`Undo ${path}`} onClick={() => act('undo', [file])}>
            Undo
          </button>
        )}
      </span>
    </li>
  );
}
