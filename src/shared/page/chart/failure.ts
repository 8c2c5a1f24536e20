/** Why a chart was not drawn, as a sentence for the user. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : '';
  const sentence = message === '' ? 'The specification does not produce a chart.' : message.replace(/[^.!?]$/, '$&.');
  return sentence.slice(0, 300);
}

/** Whether a chart would fail in the same costly way the next time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChartTimeout';
}
