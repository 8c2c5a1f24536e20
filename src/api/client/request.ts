import { joinedBytes } from '#base/bytes.ts';
import { PlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { secureUrl } from '#api/secure-url.ts';
import type { RequestInput } from './validation.ts';

/** A checked request that can be sent any number of times; it contains no credential. */
export interface Outgoing {
  readonly url: URL;
  readonly headers: Headers;
  /** Returns a new body for every attempt: form data cannot be sent twice. */
  readonly body: () => BodyInit | undefined;
}

const accepted: Readonly<Record<Operation['answerKind'], string>> = {
  json: 'application/json',
  none: 'application/json',
  csv: 'text/csv, */*;q=0.5',
  ndjson: 'application/x-ndjson, application/json;q=0.9, */*;q=0.5',
};

/** Builds the URL, headers and body of a checked request. */
export function outgoing(op: Operation, baseUrl: string, request: RequestInput): Outgoing {
  const headers = new Headers({ accept: accepted[op.answerKind] });
  const content = bodyOf(op, request.body);
  if (content.type !== undefined) headers.set('content-type', content.type);
  return { url: addressOf(op, baseUrl, request), headers, body: content.body };
}

function addressOf(op: Operation, baseUrl: string, request: RequestInput): URL {
  const base = secureUrl(baseUrl, op.id);
  const params = (request.params ?? {}) as Readonly<Record<string, unknown>>;
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(op, name, params[name]));
  const url = new URL(`${base.origin}${base.pathname.replace(/(?<!\/)\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries((request.query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (value !== undefined) url.searchParams.append(name, textOf(value));
  }
  return url;
}

/** Encodes one segment of the path: `..` or an empty segment would lead to another operation. */
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
    return multipart(fields, jsonText(op, fields['transaction']));
  }
  const text = jsonText(op, body);
  return { type: 'application/json', body: () => text };
}

/**
 * Builds form data: `transaction` is JSON text, `file` an octet stream (docs/platform-api.md#uploadfile). The bytes are
 * joined here, because `fetch` would send form data as nested streams, at twice the cost of a request.
 */
function multipart(fields: Readonly<Record<string, unknown>>, transaction: string): Content {
  const name = textOf(fields['fileName']);
  const file = fields['file'] as Uint8Array<ArrayBuffer> | Blob;
  // The content type contains the boundary of the form data, so `fetch` sets it.
  if (file instanceof Blob) return { body: () => formData(transaction, name, file) };
  const boundary = `----modelbench-${crypto.randomUUID()}`;
  const part = (disposition: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const head = [
    `${part('name="transaction"')}\r\n${transaction}\r\n`,
    `${part('name="fileName"')}\r\n${name}\r\n`,
    `${part(`name="file"; filename="${escaped(name)}"`)}Content-Type: application/octet-stream\r\n\r\n`,
  ].join('');
  const bytes = joinedBytes([encoder.encode(head), file, encoder.encode(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body: () => bytes };
}

const encoder = new TextEncoder();

/** Escapes a file name for form data, as browsers do. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function formData(transaction: string, name: string, file: Blob): FormData {
  const form = new FormData();
  form.append('transaction', transaction);
  form.append('fileName', name);
  form.append('file', new Blob([file], { type: 'application/octet-stream' }), name);
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
