/** A stream of NDJSON in which each line was changed into others; a line is on its way before the next one comes. */
export function linesOf(
  body: ReadableStream<Uint8Array>,
  change: (line: unknown) => readonly unknown[],
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  const changed = (line: string): Uint8Array =>
    encoder.encode(
      change(JSON.parse(line))
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
    );
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') controller.enqueue(changed(line));
      },
      flush: (controller) => {
        if (rest.trim() !== '') controller.enqueue(changed(rest));
      },
    }),
  );
}
