import { asError } from '#base/async.ts';
import { isPlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';
import { checkedRequest } from '#api/client/validation.ts';
import { err, ok, type Result } from '#base/result.ts';
import { requestParts } from '#shell/request-schema.ts';
import type { RequestParts } from './request-template.ts';

/** Returns the text of a request document. */
export function requestText(chunks: RequestParts, schemaUri: string): string {
  return `${JSON.stringify({ $schema: schemaUri, ...chunks }, undefined, 2)}\n`;
}

/** Parses a request document; the error is a message for the user who wrote it. */
export function parseRequest(text: string): Result<RequestParts, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return err(`The request is not valid JSON: ${asError(error).message}`);
  }
  if (!isObject(value)) return err('The request must be an object with “params”, “query” and “body”.');
  const { $schema: _, ...parts } = value;
  const stranger = Object.keys(parts).find((name) => !requestParts.some((part) => part === name));
  if (stranger !== undefined) {
    return err(`A request has only “params”, “query” and “body”. Move “${stranger}” into one of them.`);
  }
  return ok(parts);
}

/** Checks whether the client would send the request, by the operation's own rules. */
export function isSendable(op: Operation, chunks: RequestParts): boolean {
  try {
    checkedRequest(op, sendable(op, chunks));
    return true;
  } catch (error) {
    if (isPlatformError(error)) return false;
    throw error;
  }
}

/** Converts a request to what the client accepts: a file is text in a document and bytes in a request. */
export function sendable(op: Pick<Operation, 'encoding'>, chunks: RequestParts): RequestParts {
  const { body } = chunks;
  if (op.encoding !== 'multipart' || !isObject(body) || typeof body['file'] !== 'string') return chunks;
  return { ...chunks, body: { ...body, file: new TextEncoder().encode(body['file']) } };
}
