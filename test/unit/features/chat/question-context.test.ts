import { describe, expect, it } from 'vitest';
import { offered, orders, surfaceDesk } from '#support/chat/surface-desk.ts';

describe('what goes along with a question', () => {
  it('offers names, attaches what is chosen, and sends its text', async () => {
    const { clock, transport, send, last } = surfaceDesk();
    await send({ type: 'ready' });
    await send({ type: 'mentions', version: 3, query: 'ord' });
    const { id, kind, label, detail } = orders;
    expect(last('mentions')).toEqual({ type: 'mentions', version: 3, mentions: [{ id, kind, label, detail }] });
    await send({ type: 'mention', id });
    expect(last('attachments')?.attachments).toMatchObject([{ label: 'orders', size: 9, sent: 9 }]);
    await send({ type: 'send', prompt: 'What is orders?', branch: 'ask' });
    await clock.advance(10);
    expect(transport.requests[0]?.input).toBe(
      'What is orders?\n\n<attached name="orders" from="model/orders.yml:1">\ncube text\n</attached>',
    );
    expect(last('attachments')?.attachments).toEqual([]);
  });

  it('shows what the user has open, and sends exactly what the view shows as on, as it is then', async () => {
    const { clock, transport, send, last, hasOpen, asked } = surfaceDesk();
    await send({ type: 'ready' });
    hasOpen(offered('file', false), offered('selection', true), offered('problems', false));
    expect(last('context')?.context).toEqual([
      { kind: 'file', label: 'file', detail: 'all of file', isOn: false },
      { kind: 'selection', label: 'selection', detail: 'all of selection', isOn: true },
      { kind: 'problems', label: 'problems', detail: 'all of problems', isOn: false },
    ]);
    await send({ type: 'showContext', kind: 'problems' });
    expect(asked.at(-1)).toEqual(['showText', 'problems', 'the problems']);
    hasOpen(offered('file', false), offered('problems', false, 'newer problems'));
    await send({ type: 'send', prompt: 'Why?', branch: 'ask', context: ['selection', 'problems'] });
    await clock.advance(10);
    expect(transport.requests[0]?.input).toBe(
      'Why?\n\n<attached name="problems" from="a.yml">\nnewer problems\n</attached>',
    );
  });

  it('does not offer what is attached already, and offers it again once it is taken off', async () => {
    const { send, last, surface, hasOpen } = surfaceDesk();
    await send({ type: 'ready' });
    hasOpen(offered('file', true), offered('problems', false));
    const kinds = () => last('context')?.context.map(({ kind }) => kind);
    surface.attach({ id: 'file', label: 'a.yml', detail: 'a.yml', text: 'cubes: []' });
    expect(kinds()).toEqual(['problems']);
    await send({ type: 'detach', id: 'file' });
    expect(kinds()).toEqual(['file', 'problems']);
  });

  it('sends the instructions of a task under its word, which the thread keeps', async () => {
    const { clock, transport, send, surface, posted } = surfaceDesk();
    await send({ type: 'ready' });
    await send({ type: 'send', prompt: '/explain orders', branch: 'ask' });
    await clock.advance(10);
    expect(transport.requests[0]?.input).toMatch(
      /^\/explain orders\n\n<attached name="\/explain" from="Modelbench">\n/,
    );
    expect(surface.thread.title).toBe('/explain orders');
    await clock.advance(100);
    const heads = posted.flatMap((each) => (each.type === 'patch' ? each.ops : [])).filter(({ op }) => op === 'turn');
    expect(heads[0]).toMatchObject({ head: { prompt: '/explain orders', attached: ['/explain'] } });
  });

  it('attaches a value down to the definitions of its members, and SQL for a measure', async () => {
    const { clock, transport, send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    const result = JSON.stringify({ schema: [{ name: 'n', column_type: 'number' }], data: [['46']] });
    const input = JSON.stringify({ sqlQuery: 'SELECT MEASURE(orders) AS n FROM shop', queryTitle: 'Orders' });
    transport.answer([
      { id: '__cutoff__', state: { chatId: 'c' } },
      { id: 't', role: 'assistant', toolCall: { name: 'serviceSqlApi', input, result } },
      { id: '__state__', state: {} },
    ]);
    await send({ type: 'send', prompt: 'How many?', branch: 'ask' });
    await clock.advance(100);
    const where = { turn: surface.thread.turns[0]?.id ?? '', id: 't' };
    await send({ type: 'explainCell', ...where, column: 0, cells: ['46'] });
    expect(last('attachments')?.attachments.map(({ label }) => label)).toEqual(['n = 46', 'shop.orders']);
    expect(last('compose')).toEqual({ type: 'compose', text: '/explain Why is n 46?', replace: true });
    await send({ type: 'makeMeasure', ...where });
    expect(last('attachments')?.attachments).toMatchObject([{ label: 'Orders', detail: 'SQL of the answer' }]);
    expect(last('compose')).toEqual({ type: 'compose', text: '/measure ', replace: true });
    await send({ type: 'explainCell', ...where, column: 7, cells: ['46'] });
    expect(last('attachments')?.attachments).toHaveLength(1);
  });

  it('is of one question from elsewhere at a time, beside what the user attached', async () => {
    const { send, last, surface } = surfaceDesk();
    await send({ type: 'ready' });
    const about = (id: string) => ({ id, label: id, detail: 'a.yml', text: id });
    const labels = (): unknown => last('attachments')?.attachments.map(({ label }) => label);
    surface.attach(about('mine'));
    surface.ask('/fix ', [about('Problem at a.yml:1'), about('a.yml')]);
    expect(labels()).toEqual(['mine', 'Problem at a.yml:1', 'a.yml']);
    surface.attach(about('also mine'));
    surface.ask('/fix ', [about('Problem at a.yml:7'), about('a.yml')]);
    expect(labels()).toEqual(['mine', 'also mine', 'Problem at a.yml:7', 'a.yml']);
    surface.ask('/explain mine', [about('mine')]);
    surface.ask('/explain x', [about('x')]);
    expect(labels()).toEqual(['also mine', 'mine', 'x']);
    expect(last('compose')).toEqual({ type: 'compose', text: '/explain x', replace: true });
  });
});
