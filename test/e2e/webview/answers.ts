import { delta } from '#support/chat/answer-lines.ts';

// Lines of a stream as the platform writes them.
export const cutoff = { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } };
const end = { id: '__state__', state: { isStreaming: false, messages: [] } };

/** An answer in one piece. */
export const answer = (content: string): object[] => [
  cutoff,
  delta(content, { isDelta: false, isInProcess: false }),
  end,
];

/** An answer with a chart: its columns with their types, its rows, and its Vega-Lite specification. */
export function chartAnswer(chart: {
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly (string | null)[])[];
  readonly spec: object;
}): object[] {
  const result = {
    sqlQuery: 'SELECT 1',
    schema: Object.entries(chart.columns).map(([name, type]) => ({ name, column_type: type })),
    data: chart.rows,
    totalRows: chart.rows.length,
    vegaSpec: JSON.stringify(chart.spec),
  };
  const toolCall = { name: 'serviceSqlApi', input: '{}', result: JSON.stringify(result) };
  const called = { id: 't', role: 'assistant', toolCall, isDelta: false, isInProcess: false };
  return [cutoff, { ...called, graphPath: ['agent', 'tools'] }, ...answer('Done').slice(1)];
}
