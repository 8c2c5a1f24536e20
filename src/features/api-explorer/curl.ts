import type { Operation } from '#api/operation.ts';
import { outgoing } from '#api/client/request.ts';
import { isObject } from '#api/schema.ts';
import type { RequestParts } from './request-template.ts';

/**
 * Returns the request as a command for a POSIX shell, with the URL that the client would use. The key is a variable, never the
 * key itself. Throws `PlatformError` if the request is incomplete, so that it has no URL.
 */
export function asCurl(op: Operation, chunks: RequestParts, baseUrl: string): string {
  const { url, headers, body } = outgoing(
    op,
    baseUrl,
    op.encoding === 'multipart' ? { ...chunks, body: undefined } : chunks,
  );
  const lines = [`curl -X ${op.method} ${quoted(url.href)}`];
  if (!op.anonymous) lines.push(`-H "Authorization: ${op.host === 'chat' ? 'Api-Key' : 'Bearer'} $MODELBENCH_API_KEY"`);
  headers.forEach((value, name) => lines.push(`-H ${quoted(`${name}: ${value}`)}`));
  if (op.encoding === 'multipart') {
    const fields = isObject(chunks.body) ? chunks.body : {};
    for (const [name, value] of Object.entries(fields))
      lines.push(`--form-string ${quoted(`${name}=${textOf(value)}`)}`);
  } else {
    const data = body();
    if (typeof data === 'string') lines.push(`--data-raw ${quoted(data)}`);
  }
  return lines.join(' \\\n  ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
