// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { emptyDraft, type PlaygroundToHost } from '#features/playground/messages.ts';
import { PlaygroundModel } from '#features/playground/page/model.ts';

const draft = { ...emptyDraft, measures: ['orders.count'] };

/** A page that VS Code made (again) with what an earlier one kept. */
function open(kept?: unknown) {
  const sent: PlaygroundToHost['type'][] = [];
  const api = {
    state: kept,
    getState: () => api.state,
    setState: (state: unknown) => void (api.state = state),
    postMessage: (message: unknown) => void sent.push((message as PlaygroundToHost).type),
  };
  const model = new PlaygroundModel(api, window);
  const hear = (data: unknown): unknown => window.dispatchEvent(new MessageEvent('message', { data }));
  return { model, api, sent, hear };
}

const complete = { type: 'checked', problems: [], wasRun: false, forms: [{ id: 'json', label: 'JSON', text: '{}' }] };
const answered = {
  type: 'state',
  title: '',
  source: '',
  sql: '',
  phase: 'done',
  columns: [{ name: 'orders.count', type: 'number' }],
  count: 1,
  loaded: 1,
  isCut: false,
  message: '',
  version: 1,
};

describe('the model of a playground’s page', () => {
  it('runs a complete query when its chart is shown, unless the rows are those of this query', () => {
    const { model, sent, hear } = open();
    model.show('chart');
    expect(sent).toEqual(['opened']);
    hear(complete);
    model.show('chart');
    expect(sent).toEqual(['opened', 'run']);
    expect(model.tab.value).toBe('chart');
    hear({ ...answered, phase: 'running' });
    hear(answered);
    model.show('rows');
    model.show('chart');
    expect(sent).toEqual(['opened', 'run']);
    hear({ type: 'draft', draft });
    model.show('rows');
    model.show('chart');
    expect(sent).toEqual(['opened', 'run', 'run']);
  });

  it('shows what is wrong once the query was to be run, wherever from', () => {
    const { model, hear } = open();
    const wrong = { ...complete, problems: [{ field: 'measures', message: 'The model has no “orders.cuont”.' }] };
    hear(wrong);
    expect(model.problemsAt('measures')).toEqual([]);
    hear({ ...wrong, wasRun: true });
    expect(model.problemsAt('measures')).toEqual(['The model has no “orders.cuont”.']);
  });

  it('is made again with its draft, its tab, and how the host arranges the rows', () => {
    const first = open();
    first.model.change(draft);
    first.model.show('query');
    const second = open(first.api.state);
    expect(second.model.draft.value).toEqual(draft);
    expect(second.model.tab.value).toBe('query');
    const order = { column: 0, descending: true };
    const filter = { condition: 'contains', value: 'paid' };
    second.hear({ ...answered, order, filter });
    expect([second.model.order.value, second.model.filter.value]).toEqual([order, filter]);
    // From then on the page decides: an older state of the host changes nothing.
    second.model.sort(undefined);
    second.hear({ ...answered, order });
    expect(second.model.order.value).toBeUndefined();
  });
});
