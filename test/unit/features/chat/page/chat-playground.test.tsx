// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it } from 'vitest';
import type { ViewTool } from '#features/chat/messages.ts';
import { message, query, show, snapshot, step, turn, turnHead } from './chat-stage.tsx';

afterEach(cleanup);

/** The view with the card of a query, whose menu is open. */
function withMenu(tool: ViewTool) {
  const view = show(snapshot([turn([step(tool), message({ text: 'Most are complete.' })])]));
  fireEvent.click(screen.getByText('Orders by status'));
  fireEvent.click(screen.getByRole('button', { name: 'More Actions' }));
  return view;
}

describe('Open in Playground', () => {
  it('is not offered where the host cannot read the SQL as a query', () => {
    withMenu(query);
    expect(screen.queryByRole('menuitem', { name: 'Open in Playground' })).toBeNull();
  });

  it('asks the host for it where it can', () => {
    if (query.detail.kind !== 'sql') throw new Error('The card of a query holds SQL.');
    const { asked } = withMenu({ ...query, detail: { ...query.detail, query: true } });
    fireEvent.click(screen.getByRole('menuitem', { name: 'Open in Playground' }));
    expect(asked().at(-1)).toEqual({ type: 'tool', turn: turnHead().id, id: 't', action: 'openPlayground' });
  });
});
