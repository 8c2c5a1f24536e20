/** Returns a sentence for the user that explains why a chart was not drawn. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : '';
  const sentence = message === '' ? 'The specification does not produce a chart.' : message.replace(/[^.!?]$/, '$&.');
  return sentence.slice(0, 300);
}

/** Whether another attempt to draw the chart would fail in the same costly way. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChartTimeout';
}
