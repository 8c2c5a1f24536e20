// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, expect, it } from 'vitest';
import type { ViewProposal } from '#features/chat/messages.ts';
import { message, show, snapshot, turn, turnHead } from './chat-stage.tsx';

afterEach(cleanup);

const { id: turnId } = turnHead();
const file: ViewProposal = {
  path: 'model/a.yml',
  state: 'open',
  isNew: false,
  added: 3,
  removed: 1,
  canAccept: true,
  canUndo: false,
  isReviewed: false,
};

it('a proposal names its folder where there are several, and offers another one', () => {
  const { tell, asked } = show(snapshot([turn([message({ text: 'Done' })], { proposes: 1 })]));
  const propose = (folder?: { readonly name: string; readonly isFixed: boolean }): string => {
    tell({ type: 'proposals', turn: turnId, files: [file], folder });
    return screen.getByRole('region', { name: 'Proposed changes' }).textContent;
  };
  expect(propose()).not.toContain(' in ');
  const name = 'sh\u{200b}op';
  expect(propose({ name, isFixed: false })).toContain('in sh⟨U+200B⟩op');
  fireEvent.click(screen.getByRole('button', { name: 'Change Folder…' }));
  expect(asked()).toContainEqual({ type: 'proposal', turn: turnId, action: 'chooseFolder', paths: [] });
  expect(propose({ name, isFixed: true })).toContain('in sh⟨U+200B⟩op');
  expect(screen.queryByRole('button', { name: 'Change Folder…' })).toBeNull();
});
