// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it } from 'vitest';
import type { ViewProposal, ViewTool } from '#features/chat/messages.ts';
import { header, message, show, snapshot, step, turn, turnHead } from './chat-stage.tsx';

afterEach(cleanup);

const { id: turnId } = turnHead();
/** A text that begins at the right. */
const hebrew = 'הכנסות לפי חודש';
const code = '```sql\nSELECT הכנסות\n```';

const member = { name: 'orders.count', title: hebrew, kind: 'number', description: hebrew };
const meta: ViewTool = {
  name: 'serviceMeta',
  state: 'failed',
  summary: hebrew,
  error: hebrew,
  detail: {
    kind: 'meta',
    query: hebrew,
    cubes: [{ name: 'orders', title: hebrew, kind: 'cube', members: [member] }],
  },
};
const columns = [{ name: hebrew, type: 'string' }];
const table = { kind: 'sql', title: hebrew, description: hebrew, sql: hebrew, columns, rows: 1, total: 1 } as const;
const sql: ViewTool = {
  ...meta,
  state: 'done',
  error: undefined,
  detail: { ...table, chart: false, query: false },
};
const file: ViewProposal = {
  path: `model/${hebrew}.yml`,
  state: 'open',
  isNew: true,
  added: 1,
  removed: 0,
  canAccept: true,
  canUndo: false,
  isReviewed: true,
  note: hebrew,
  engine: { state: 'refused', text: hebrew },
};
const branch = { name: hebrew, isDefault: true };

/** Shows a thread in which every text of the user, the agent and the platform begins at the right, everything unfolded. */
function shown(head: Parameters<typeof turnHead>[0] = {}) {
  const text = [
    `# ${hebrew}`,
    hebrew,
    `- ${hebrew}`,
    `1. ${hebrew}`,
    `> ${hebrew}`,
    `|${hebrew}|`,
    '|---|',
    `|${hebrew}|`,
  ];
  const steps = [meta, sql].map((tool, at) => ({ ...step(tool, `t${at}`), thinking: hebrew, text: hebrew }));
  const answer = message({ text: [...text, code, `- ${code.replaceAll('\n', '\n  ')}`].join('\n\n') });
  const first = turn([...steps, answer], { prompt: hebrew, attached: [hebrew], branch, proposes: 1, ...head });
  const queued = [{ id: 'q', text: hebrew, attached: [hebrew], held: true }];
  const thread = { ...snapshot([first]).thread, title: hebrew, queued };
  const item = { key: 'k', title: hebrew, updatedAt: 0, branch: hebrew, running: false, elsewhere: false };
  const view = show(
    snapshot([], {
      thread,
      threads: [item],
      header: { ...header, target: { label: hebrew, agent: hebrew, branch: { name: `${hebrew} 2`, isDefault: true } } },
      attachments: [{ id: 'a', label: hebrew, detail: hebrew, size: 3, sent: 3 }],
    }),
  );
  const context = ['file', 'query'] as const;
  view.tell({
    type: 'context',
    context: context.map((kind, at) => ({ kind, label: hebrew, detail: hebrew, isOn: at === 0 })),
  });
  view.tell({ type: 'proposals', turn: turnId, files: [file], folder: { name: hebrew, isFixed: false } });
  view.tell({ type: 'refused', prompt: 'x', reason: 'missing', message: hebrew });
  for (let at = 0; at < 4; at++)
    for (const part of view.container.querySelectorAll('details:not([open]) > summary')) fireEvent.click(part);
  view.tell({ type: 'rows', turn: turnId, id: 't1', version: 0, count: 1, offset: 0, rows: [[hebrew]] });
  return view;
}

/** Returns the texts in Hebrew that take the direction of the page instead of their own. */
function astray(container: Element): readonly string[] {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const around = node.parentElement;
    if (!/[\u0590-\u05FF]/.test(node.nodeValue ?? '') || around?.closest('.sr-only')) continue;
    if (!around?.closest('bdi, [dir=auto], [dir=ltr]')) found.push(around?.outerHTML.slice(0, 160) ?? '');
  }
  return [...new Set(found)];
}

describe('texts of the user, the agent and the platform', () => {
  it.each<readonly [string, Parameters<typeof turnHead>[0]]>([
    ['a whole answer', {}],
    ['a failed answer', { phase: 'failed', problem: { kind: 'failed', message: hebrew } }],
    ['a stopped answer', { phase: 'stopped', note: hebrew }],
    ['an answer that waits for the network', { phase: 'reconnecting', note: hebrew }],
  ])('have a direction of their own in %s', (_, head) => {
    expect(astray(shown(head).container)).toEqual([]);
  });

  it('have a direction of their own in the list of threads, suggestions and setup', () => {
    const { container, tell, sent } = shown();
    const field = screen.getByRole('textbox', { name: 'Question for the agent' });
    fireEvent.input(field, { target: { value: '@o', selectionStart: 2, selectionEnd: 2 } });
    const asked = sent.findLast(({ type }) => type === 'mentions');
    const version = asked?.type === 'mentions' ? asked.version : 0;
    tell({ type: 'mentions', version, mentions: [{ id: 'o', kind: 'cube', label: hebrew, detail: hebrew }] });
    expect(screen.getAllByRole('option')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Threads' }));
    const search = screen.getByRole('searchbox', { name: 'Find a thread' });
    fireEvent.input(search, { target: { value: hebrew } });
    tell({ type: 'foundThreads', version: 1, found: [{ key: 'k', excerpt: hebrew }] });
    expect(container.querySelector('.thread-title')?.textContent).toBe(hebrew);
    expect(astray(container)).toEqual([]);
    expect(search.getAttribute('dir')).toBe('auto');
    cleanup();
    const missing = { what: 'account', message: hebrew };
    expect(astray(show(snapshot([], { header: { ...header, target: undefined, missing } })).container)).toEqual([]);
    cleanup();
    const target = { label: hebrew, branch };
    expect(astray(show(snapshot([], { header: { ...header, target, examples: [hebrew] } })).container)).toEqual([]);
  });

  it('leave code from left to right, also in a list that begins at the right', () => {
    const { container } = shown();
    const blocks = [...container.querySelectorAll('pre code, pre')].filter((each) =>
      each.textContent?.includes('SELECT'),
    );
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(block.closest('[dir]')?.getAttribute('dir')).toBe('ltr');
  });
});
