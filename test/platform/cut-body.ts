/** The same answer whose body fails after so many bytes, be it inside a character. */
export function cutBody(response: Response, afterBytes: number): Response {
  if (response.body === null) return response;
  let left = afterBytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (chunk.byteLength <= left) {
        left -= chunk.byteLength;
        controller.enqueue(chunk);
        return;
      }
      controller.enqueue(chunk.subarray(0, left));
      controller.error(new TypeError('terminated: the connection was cut'));
    },
  });
  // Nothing may wait for the whole of it: what comes before the cut leaves at once.
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.set('transfer-encoding', 'chunked');
  return new Response(response.body.pipeThrough(cut), { status: response.status, headers });
}
