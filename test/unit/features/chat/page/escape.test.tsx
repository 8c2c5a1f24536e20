// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it } from 'vitest';
import { message, query, show, snapshot, step, turn } from './chat-stage.tsx';

afterEach(cleanup);

const running = turn([message({ text: 'It is', isInProcess: true })], { phase: 'streaming', id: '2-message' });
const answered = turn([step(query), message({ text: 'Done' })], { id: '1-message' });
const escape = (element: Element): void => void fireEvent.keyDown(element, { key: 'Escape' });

describe('Escape while an answer is written', () => {
  it('closes what is offered in the composer first, and stops the answer then', () => {
    const { asked } = show(snapshot([running]));
    const field = screen.getByRole('textbox', { name: 'Question for the agent' });
    fireEvent.input(field, { target: { value: '/' } });
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0);
    escape(field);
    expect(screen.queryByRole('option')).toBeNull();
    expect(asked()).toEqual([]);
    escape(field);
    expect(asked()).toEqual([{ type: 'stop' }]);
  });

  it('closes a menu first', () => {
    const { asked, container } = show(snapshot([answered, running]));
    const summary = container.querySelector('.result > summary');
    if (summary) fireEvent.click(summary);
    const before = asked();
    fireEvent.click(screen.getByRole('button', { name: 'More Actions' }));
    escape(screen.getAllByRole('menuitem')[0] as Element);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(asked()).toEqual(before);
  });

  it('closes the list of threads first', () => {
    const { asked } = show(snapshot([running]));
    fireEvent.click(screen.getByRole('button', { name: 'Threads' }));
    escape(screen.getByRole('searchbox', { name: 'Find a thread' }));
    expect(screen.queryByRole('searchbox', { name: 'Find a thread' })).toBeNull();
    expect(asked().filter(({ type }) => type === 'stop')).toEqual([]);
  });
});
