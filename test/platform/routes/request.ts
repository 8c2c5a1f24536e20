import type { Operation } from '#api/operation.ts';
import { describeIssue } from '#api/client/validation.ts';
import * as v from 'valibot';
import { invalid } from '../core/refusal.ts';

/** @throws Refusal 400 naming the first field that is wrong */
export function validated(schema: v.GenericSchema<unknown, unknown>, value: unknown): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const { field, problem } = describeIssue(result.issues[0]);
  throw field === '' ? invalid(`The request ${problem}`) : invalid(`${field}: ${problem}`);
}

/** The body as the operation's schema reads it: JSON, form data of an upload, or a URL-encoded form. */
export async function readBody(operation: Operation, request: Request): Promise<unknown> {
  if (operation.encoding === 'multipart') return readMultipart(request);
  const text = await request.text();
  if (operation.encoding === 'form') return Object.fromEntries(new URLSearchParams(text));
  // An empty body is a missing one: optional bodies are, and the schema refuses the others.
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('The body is not JSON.');
  }
}

async function readMultipart(request: Request): Promise<unknown> {
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    throw invalid('The body is not form data (multipart/form-data).');
  }
  const entries: Record<string, unknown> = {};
  form.forEach((value, name) => {
    entries[name] = value;
  });
  return { ...entries, transaction: parsed(entries['transaction']) };
}

/** The client writes the transaction as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw invalid('transaction: must be the JSON text of what upload/start answered');
  }
}
