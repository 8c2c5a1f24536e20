import type { ComponentChildren } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { ProposalFolder, ViewProposal, ViewToHost } from '#features/chat/messages.ts';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { Icon } from './icons.tsx';
import { ModelContext } from './model-context.ts';

type Action = Extract<ViewToHost, { readonly type: 'proposal' }>['action'];
type Do = (action: Action, files: readonly ViewProposal[]) => void;

/** The model files that an answer proposes: the user reviews each, then accepts or rejects it, and can undo that. */
export function Proposals({ turn }: { readonly turn: string }) {
  const model = useContext(ModelContext);
  const { post } = useActions();
  const { files, folder } = model?.proposals.value.get(turn) ?? {};
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
        {folder && <Folder {...folder} choose={() => act('chooseFolder', [])} />}
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

/** The folder whose files change, where the window has several. */
function Folder({ name, isFixed, choose }: ProposalFolder & { readonly choose: () => void }) {
  return (
    <span class="proposal-folder">
      in <bdi>{visible(name)}</bdi>{' '}
      {!isFixed && (
        <button type="button" class="link" onClick={choose}>
          Change Folder…
        </button>
      )}
    </span>
  );
}

function isOpen({ state }: ViewProposal): boolean {
  return state === 'open' || state === 'partly';
}

function All({ files, act }: { readonly files: readonly ViewProposal[]; readonly act: Do }) {
  const open = files.filter((file) => isOpen(file) && file.canAccept);
  const done = files.filter(({ state, canUndo }) => state === 'accepted' && canUndo);
  const isReviewed = open.every((file) => file.isReviewed);
  return (
    <span class="proposal-actions">
      {open.length > 1 && (
        <>
          <button type="button" class={isReviewed ? 'secondary' : ''} onClick={() => act('review', open)}>
            Review All
          </button>
          {isReviewed && (
            <button type="button" onClick={() => act('accept', open)}>
              Accept All
            </button>
          )}
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

const STATES: Readonly<Record<ViewProposal['state'], string>> = {
  open: '',
  accepted: 'Accepted',
  partly: 'Partly accepted',
  rejected: 'Rejected',
  draft: '',
  refused: 'Refused',
};

function File({ file, act }: { readonly file: ViewProposal; readonly act: Do }) {
  const { path, state, isNew, added, removed, note, engine } = file;
  const hasCounts = added + removed > 0;
  return (
    <li class={`proposal proposal-${state}`}>
      <div class="proposal-name">
        {isOpen(file) ? (
          <button type="button" class="link" title="Review the change" onClick={() => act('review', [file])}>
            <bdi>{visible(path)}</bdi>
          </button>
        ) : (
          <bdi>{visible(path)}</bdi>
        )}{' '}
        {isNew && isOpen(file) && <span class="badge">new</span>}{' '}
        {hasCounts && (
          <span class="proposal-counts" aria-label={`${added} lines added, ${removed} removed`} role="img">
            <span class="proposal-added">+{added}</span> <span class="proposal-removed">−{removed}</span>
          </span>
        )}
        {note !== undefined && (
          <div class="hint" dir="auto">
            {visible(note)}
          </div>
        )}
        {engine && <Engine {...engine} />}
      </div>
      <span class="proposal-actions">
        {STATES[state] !== '' && <span class="proposal-state">{STATES[state]}</span>}
        <Buttons file={file} act={act} />
      </span>
    </li>
  );
}

const ENGINE_ICONS = { checking: 'tool', accepted: 'check', refused: 'error', unknown: 'info' } as const;

/** The engine's verdict on the model with the change. */
function Engine({ state, text }: NonNullable<ViewProposal['engine']>) {
  return (
    <div class={`proposal-engine proposal-engine-${state}`}>
      <Icon name={ENGINE_ICONS[state]} />
      <span dir="auto">{visible(text)}</span>
    </div>
  );
}

function Buttons({ file, act }: { readonly file: ViewProposal; readonly act: Do }) {
  const { path, state, canAccept, canUndo, isReviewed } = file;
  const mayAccept = isOpen(file) && canAccept;
  const button: MakeButton = (label, action, isMain = false) => (
    <button
      type="button"
      class={isMain ? '' : 'secondary'}
      aria-label={`${label} ${visible(path)}`}
      onClick={() => act(action, [file])}
    >
      {label}
    </button>
  );
  return (
    <>
      {isOpen(file) && !(mayAccept && isReviewed) && button('Review', 'review', mayAccept)}
      {mayAccept && isReviewed && <Accept file={file} button={button} />}
      {(state === 'draft' || (isOpen(file) && !canAccept)) && button('Open as Draft', 'draft')}
      {(state === 'open' || state === 'draft') && button('Reject', 'reject')}
      {canUndo && button('Undo', 'undo')}
    </>
  );
}

type MakeButton = (label: string, action: Action, isMain?: boolean) => ComponentChildren;

/** The button to accept a file. It is not prominent if the engine refuses the change. */
function Accept({ file, button }: { readonly file: ViewProposal; readonly button: MakeButton }) {
  const isRefused = file.engine?.state === 'refused';
  return (
    <>
      {isRefused ? button('Accept Anyway…', 'accept') : button('Accept', 'accept', true)}
      {!file.isNew && button('Accept Hunks…', 'acceptHunks')}
    </>
  );
}
