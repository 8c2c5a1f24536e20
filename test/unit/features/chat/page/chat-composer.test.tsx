// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/preact';
import { afterEach, describe, expect, it } from 'vitest';
import type { ViewThreadItem } from '#features/chat/messages.ts';
import { header, show, snapshot } from './chat-stage.tsx';

afterEach(cleanup);

const field = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Question for the agent' });
const status = (): string | null => screen.getByRole('status').textContent;

describe('the composer', () => {
  it('offers names while one is typed, by keyboard, and puts the chosen one into the sentence', () => {
    const { asked, tell, model } = show(snapshot([]));
    fireEvent.input(field(), { target: { value: 'How is @ord', selectionStart: 11 } });
    const [request] = asked();
    const version = request?.type === 'mentions' ? request.version : 0;
    expect(request).toEqual({ type: 'mentions', version, query: 'ord' });
    const offered = ['orders', 'orders.count'].map((label) => ({
      id: label,
      kind: 'cube' as const,
      label,
      detail: 'a',
    }));
    tell({ type: 'mentions', version: version - 1, mentions: [] });
    tell({ type: 'mentions', version, mentions: offered });
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'orderscube · a',
      'orders.countcube · a',
    ]);
    expect(status()).toBe('2 suggestions');
    expect(field().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
    fireEvent.keyDown(field(), { key: 'ArrowDown' });
    const active = field().getAttribute('aria-activedescendant') ?? '';
    expect(document.querySelector(`#${active}`)?.getAttribute('aria-selected')).toBe('true');
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(model.draft.value).toBe('How is orders.count ');
    expect(asked().at(-1)).toEqual({ type: 'mention', id: 'orders.count' });
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('completes a name in the middle of a sentence and keeps what follows', () => {
    const { model, tell, asked } = show(snapshot([]));
    fireEvent.input(field(), { target: { value: 'Is @ord right?', selectionStart: 7, selectionEnd: 7 } });
    const request = asked().at(-1);
    const version = request?.type === 'mentions' ? request.version : 0;
    tell({ type: 'mentions', version, mentions: [{ id: 'o', kind: 'cube', label: 'orders', detail: 'a' }] });
    fireEvent.keyDown(field(), { key: 'Tab' });
    expect(model.draft.value).toBe('Is orders  right?');
    expect(model.cursor.value).toBe('Is orders '.length);
  });

  it('shows what the user has open as chips, and sends exactly those that are on', () => {
    const { asked, tell } = show(snapshot([]));
    const file = { kind: 'file', label: 'orders.yml', detail: 'The whole of orders.yml', isOn: false } as const;
    const lines = { kind: 'selection', label: 'Lines 1–2', detail: 'The selected text', isOn: true } as const;
    tell({ type: 'context', context: [file, lines] });
    const chip = (name: string): HTMLElement => screen.getByRole('button', { name });
    expect(chip('Include orders.yml').getAttribute('aria-pressed')).toBe('false');
    expect(chip('Include Lines 1–2').getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Lines 1–2' }));
    expect(asked().at(-1)).toEqual({ type: 'showContext', kind: 'selection' });
    fireEvent.click(chip('Include orders.yml'));
    fireEvent.click(chip('Include Lines 1–2'));
    fireEvent.input(field(), { target: { value: 'Why?' } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(asked().at(-1)).toEqual({ type: 'send', prompt: 'Why?', branch: 'ask', context: ['file'] });
  });

  it('names the agent and the branch of the next question, and lets both be changed', () => {
    const target = { label: 'Shop', agent: 'Agent 7', branch: { name: 'dev-ada', isDefault: false } };
    const { asked } = show(snapshot([], { header: { ...header, target } }));
    fireEvent.click(screen.getByRole('button', { name: 'Agent 7: choose another agent' }));
    fireEvent.click(screen.getByRole('button', { name: 'Branch dev-ada: switch to another one' }));
    expect(asked()).toEqual([{ type: 'setUp', what: 'agent' }, { type: 'switchBranch' }]);
  });

  it('switches on what a task is about, until the user switches it off', () => {
    const { model, tell } = show(snapshot([]));
    const problems = { kind: 'problems', label: '2 problems', detail: 'Positions', isOn: false } as const;
    tell({ type: 'context', context: [problems] });
    expect(model.contextOn.value).toEqual([]);
    fireEvent.input(field(), { target: { value: '/fix this' } });
    expect(model.contextOn.value).toEqual(['problems']);
    fireEvent.click(screen.getByRole('button', { name: 'Include 2 problems' }));
    expect(model.contextOn.value).toEqual([]);
  });
});

describe('the list of threads', () => {
  it('finds threads by their texts too, shows what was found, and deletes all', () => {
    const items: ViewThreadItem[] = ['Orders', 'Customers'].map((title) => ({
      key: title,
      title,
      updatedAt: 1,
      running: false,
      elsewhere: false,
    }));
    const { asked, tell } = show(snapshot([], { threads: items }));
    fireEvent.click(screen.getByRole('button', { name: 'Threads' }));
    const list = screen.getByRole('region', { name: 'Threads' });
    fireEvent.input(within(list).getByRole('searchbox'), { target: { value: 'revenue' } });
    expect(within(list).queryAllByRole('listitem')).toHaveLength(0);
    const request = asked().at(-1);
    const version = request?.type === 'searchThreads' ? request.version : 0;
    expect(request).toEqual({ type: 'searchThreads', version, query: 'revenue' });
    tell({ type: 'foundThreads', version: version - 1, found: [{ key: 'Orders', excerpt: 'stale' }] });
    tell({ type: 'foundThreads', version, found: [{ key: 'Customers', excerpt: 'The revenue was 46' }] });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringMatching(/^CustomersThe revenue was 46/)]);
    fireEvent.click(within(list).getByRole('button', { name: 'Delete All Threads…' }));
    expect(asked().at(-1)).toEqual({ type: 'deleteAllThreads' });
  });
});
