// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message, show, snapshot, turn } from './chat-stage.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('CSS', { highlights: new Map() });
  vi.stubGlobal('Highlight', Set);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const questions = Array.from({ length: 30 }, (_, at) => `Question ${at + 1}`);
const turnOf = (prompt: string, at: number) =>
  turn([message({ id: `f${at}`, text: `Answer ${at + 1} of *all*` })], { id: `${at}-message`, prompt });
const thread = snapshot(questions.map(turnOf));
const answers = (container: Element): readonly (string | null)[] =>
  [...container.querySelectorAll('.answer .markdown')].map(({ textContent }) => textContent);
const headings = (container: Element): readonly (string | null)[] =>
  [...container.querySelectorAll('.prompt-text')].map(({ textContent }) => textContent);
const allAnswers = questions.map((_, at) => `Answer ${at + 1} of all`);

describe('a long thread', () => {
  it('opens with its last answers; the others are drawn upwards, one in each frame', () => {
    const { container } = show(thread);
    expect(answers(container)).toEqual(allAnswers.slice(-6));
    // Each question has its position at once, in the order in which it is read out.
    expect(headings(container)).toEqual(questions);
    expect(container.querySelectorAll('[aria-busy=true]')).toHaveLength(24);
    const counts = [6];
    for (let frame = 0; frame < 100; frame += 1) {
      void act(() => void vi.advanceTimersByTime(16));
      counts.push(answers(container).length);
    }
    expect(Math.max(...counts.slice(1).map((count, at) => count - (counts[at] ?? 0)))).toBe(1);
    expect(answers(container)).toEqual(allAnswers);
    expect(container.querySelectorAll('[aria-busy]')).toHaveLength(0);
  });

  it('is searched as a whole at once', () => {
    const { container } = show(thread);
    fireEvent.keyDown(document.body, { key: 'f', ctrlKey: true });
    expect(answers(container)).toEqual(allAnswers);
  });

  it('keeps the answers that are drawn when another question is asked', () => {
    const { container, tell } = show(thread);
    const asked = turnOf('And now?', 30);
    tell({ type: 'patch', epoch: 1, seq: 1, ops: [{ op: 'turn', head: asked.head }] });
    expect(answers(container)).toEqual(allAnswers.slice(-6));
    expect(screen.getByRole('article', { name: 'Question: And now?' })).toBeTruthy();
  });

  it('begins at its end again when it is opened after another one', () => {
    const { container, tell } = show(thread);
    for (let frame = 0; frame < 30; frame += 1) void act(() => void vi.advanceTimersByTime(50));
    tell({ ...snapshot([]), epoch: 2, thread: { ...thread.thread, key: 'other', turns: [] } });
    tell({ ...thread, epoch: 3 });
    expect(answers(container)).toEqual(allAnswers.slice(-6));
  });
});
