import { PlatformError } from './errors.ts';
import type { Operation } from './operation.ts';
import { secureUrl } from './secure-url.ts';
import type { RequestParts } from './validation.ts';

/** A checked request, ready to be sent any number of times; carries no credential. */
export interface Outgoing {
  readonly url: URL;
  readonly headers: Headers;
  /** A new body for every attempt: form data cannot be sent twice. */
  readonly body: () => BodyInit | undefined;
}

const accepted: Readonly<Record<Operation['answerKind'], string>> = {
  json: 'application/json',
  none: 'application/json',
  csv: 'text/csv, */*;q=0.5',
  ndjson: 'application/x-ndjson, application/json;q=0.9, */*;q=0.5',
};

/** Builds the address, headers and body of a checked request. */
export function outgoing(op: Operation, baseUrl: string, request: RequestParts): Outgoing {
  const headers = new Headers({ accept: accepted[op.answerKind] });
  const content = bodyOf(op, request.body);
  if (content.type !== undefined) headers.set('content-type', content.type);
  return { url: addressOf(op, baseUrl, request), headers, body: content.body };
}

function addressOf(op: Operation, baseUrl: string, request: RequestParts): URL {
  const base = secureUrl(baseUrl, op.id);
  const params = (request.params ?? {}) as Readonly<Record<string, unknown>>;
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(op, name, params[name]));
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries((request.query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (value !== undefined) url.searchParams.append(name, textOf(value));
  }
  return url;
}

/** One segment of the path: `..` or an empty one would lead to another operation. */
function segment(op: Operation, name: string, value: unknown): string {
  const text = textOf(value);
  const bad = text === '' || text === '.' || text === '..' || !text.isWellFormed();
  if (!bad) return encodeURIComponent(text);
  throw new PlatformError({
    kind: 'invalidRequest',
    operation: op.id,
    field: `params.${name}`,
    message: `${op.id}: params.${name}: cannot be part of an address. Nothing was sent.`,
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

interface Content {
  readonly type?: string | undefined;
  readonly body: () => BodyInit | undefined;
}

function bodyOf(op: Operation, body: unknown): Content {
  if (!op.body || body === undefined) return { body: () => undefined };
  const fields = body as Readonly<Record<string, unknown>>;
  if (op.encoding === 'form') {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, textOf(value)])).toString();
    return { type: 'application/x-www-form-urlencoded', body: () => text };
  }
  if (op.encoding === 'multipart') {
    const transaction = jsonText(op, fields['transaction']);
    // The boundary is part of the content type, so `fetch` sets it.
    return { body: () => formData(fields, transaction) };
  }
  const text = jsonText(op, body);
  return { type: 'application/json', body: () => text };
}

/** Payloads, Build API: `transaction` is JSON text, `file` an octet stream. */
function formData(fields: Readonly<Record<string, unknown>>, transaction: string): FormData {
  const form = new FormData();
  const name = textOf(fields['fileName']);
  const bytes = fields['file'] as Uint8Array<ArrayBuffer> | Blob;
  form.append('transaction', transaction);
  form.append('fileName', name);
  form.append('file', new Blob([bytes], { type: 'application/octet-stream' }), name);
  return form;
}

function jsonText(op: Operation, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    throw new PlatformError({
      kind: 'invalidRequest',
      operation: op.id,
      field: 'body',
      message: `${op.id}: body: cannot be written as JSON. Nothing was sent.`,
    });
  }
}
