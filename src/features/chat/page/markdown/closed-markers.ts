/** Longer lines are not prose and stay unchanged. */
const LONGEST_LINE = 2_000;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/gm;

/**
 * Closes the last line of growing Markdown: bold text is bold and code is code while the agent writes them, instead of showing
 * their markers until the closing ones arrive. Changes nothing before the last line, and nothing in a code block.
 */
export function closedMarkers(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  if (line.length > LONGEST_LINE || line.trim() === '') return text;
  const isInFence = (text.match(FENCE)?.length ?? 0) % 2 === 1;
  if (isInFence) return text;
  return text.slice(0, start) + closed(line);
}

function closed(line: string): string {
  const [, mark = ''] = /(`+|\*+)$/.exec(line) ?? [];
  const before = line.slice(0, line.length - mark.length);
  // A marker with nothing after it either closes what is open, half or whole, or opens something that has not arrived yet.
  const open = openMark(before);
  if (open !== '' && mark !== '' && open.startsWith(mark)) return before + open;
  if (open === '' && mark !== '' && /(?:^|\s)$/.test(before)) return before === '' ? line : before.trimEnd();
  return line + openMark(line);
}

/** Returns the marker that is open at the end of a line: code, or else bold. */
function openMark(line: string): string {
  const outside = line.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
  const code = /(?<!`)`(?!`)/.exec(outside);
  if (code) return '`';
  return (outside.match(/\*\*/g)?.length ?? 0) % 2 === 1 ? '**' : '';
}
