// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ViewProposal, ViewThreadItem } from '#features/chat/messages.ts';
import { message, show, snapshot, turn, turnHead } from './chat-stage.tsx';

/** Whether the user works in this page, not in another editor. */
let isHere = true;

beforeEach(() => {
  isHere = true;
  vi.spyOn(document, 'hasFocus').mockImplementation(() => isHere);
});
afterEach(cleanup);

const { id: turnId } = turnHead();
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
/** The name of what has the focus; a browser gives it to the body when its element is removed. */
const focused = (): string | null | undefined =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
const press = (name: string): void => {
  button(name).focus();
  fireEvent.click(button(name));
};
const QUESTION = 'Question for the agent';

describe('the keyboard focus', () => {
  const thread = (title: string): ViewThreadItem => ({
    key: title,
    title,
    updatedAt: 0,
    branch: undefined,
    running: false,
    elsewhere: false,
  });

  it('goes to the next thread after one is deleted, then to the one before, then to the field', async () => {
    const view = show(snapshot([], { threads: ['A', 'B', 'C'].map(thread) }));
    fireEvent.click(button('Threads'));
    press('Delete B…');
    view.tell({ type: 'threads', threads: ['A', 'C'].map(thread) });
    await expect.poll(focused).toBe('Delete C…');
    press('Delete C…');
    view.tell({ type: 'threads', threads: [thread('A')] });
    await expect.poll(focused).toBe('Delete A…');
    press('Delete A…');
    view.tell({ type: 'threads', threads: [] });
    await expect.poll(focused).toBe('Find a thread');
  });

  it('goes to the next queued question after one is taken back, and to the composer after the last', async () => {
    const running = turn([message({ isInProcess: true })], { phase: 'streaming' });
    const queued = ['one', 'two'].map((text) => ({ id: text, text, attached: [], held: false }));
    const first = snapshot([running]);
    const view = show({ ...first, thread: { ...first.thread, queued } });
    press('Do not send: one');
    view.tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'queued', queued: queued.slice(1) }] });
    await expect.poll(focused).toBe('Do not send: two');
    press('Do not send: two');
    view.tell({ type: 'patch', epoch: 1, seq: 2, ops: [{ op: 'queued', queued: [] }] });
    await expect.poll(focused).toBe(QUESTION);
  });

  it('goes to the composer after a refusal is dismissed', async () => {
    const view = show(snapshot([]));
    view.tell({ type: 'refused', prompt: 'x', reason: 'missing', message: 'Sign in first.' });
    press('Dismiss');
    await expect.poll(focused).toBe(QUESTION);
  });

  it('stays with a proposed file after it is accepted', async () => {
    const file: ViewProposal = {
      path: 'model/a.yml',
      state: 'open',
      isNew: false,
      added: 1,
      removed: 0,
      canAccept: true,
      canUndo: false,
      isReviewed: true,
    };
    const view = show(snapshot([turn([message({ text: 'Done' })], { proposes: 1 })]));
    view.tell({ type: 'proposals', turn: turnId, files: [file] });
    press('Accept Hunks… model/a.yml');
    const accepted = { ...file, state: 'accepted', canAccept: false, canUndo: true } as const;
    view.tell({ type: 'proposals', turn: turnId, files: [accepted] });
    await expect.poll(focused).toBe('Undo model/a.yml');
  });

  it('stays in the conversation after an answer is tried again', async () => {
    const problem = { kind: 'failed', message: 'The agent failed.' };
    const view = show(snapshot([turn([], { phase: 'failed', problem })]));
    press('Retry');
    const { problem: _, ...head } = turnHead({ phase: 'sending' });
    view.tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'turn', head }] });
    await expect.poll(focused).toBe('Conversation');
  });

  it('is not taken from another editor, and is restored when the user comes back', async () => {
    const view = show(snapshot([], { threads: ['A', 'B'].map(thread) }));
    fireEvent.click(button('Threads'));
    press('Delete A…');
    isHere = false;
    const taken = vi.spyOn(button('Delete B…'), 'focus');
    view.tell({ type: 'threads', threads: [thread('B')] });
    await expect.poll(() => screen.queryByRole('button', { name: 'Delete A…' })).toBeNull();
    // Observers are called before this promise is.
    await new Promise((resolve) => void setTimeout(resolve, 0));
    expect(taken).not.toHaveBeenCalled();
    isHere = true;
    window.dispatchEvent(new Event('focus'));
    await expect.poll(focused).toBe('Delete B…');
  });

  it('is not moved where the user left what disappears before', async () => {
    const view = show(snapshot([], { threads: ['A', 'B'].map(thread) }));
    fireEvent.click(button('Threads'));
    press('Delete A…');
    button('New Thread').focus();
    view.tell({ type: 'threads', threads: [thread('B')] });
    await expect.poll(() => screen.queryByRole('button', { name: 'Delete A…' })).toBeNull();
    expect(focused()).toBe('New Thread');
  });
});
