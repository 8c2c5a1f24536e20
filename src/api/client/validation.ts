import * as v from 'valibot';
import { PlatformError } from '#api/errors.ts';
import { addressName, plainName } from './failure.ts';
import type { Operation } from '#api/operation.ts';

type InputName = 'params' | 'query' | 'body';

/** The input for an operation, before it is checked. */
export interface RequestInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Checks a request before it is sent; throws `invalidRequest` with the field's path (`body.files.0.path`).
 * A body is sent unchecked if it goes back as the platform gave it, or if its fields are only guessed.
 */
export function checkedRequest(op: Operation, request: RequestInput): RequestInput {
  return {
    params: checkedInput(op, 'params', request.params),
    query: checkedInput(op, 'query', request.query),
    body: op.roundTrip || op.guessedBody ? request.body : checkedInput(op, 'body', request.body),
  };
}

function checkedInput(op: Operation, name: InputName, value: unknown): unknown {
  const schema = op[name];
  if (!schema) return undefined;
  const result = v.safeParse(schema, value ?? emptyFor(schema), { abortPipeEarly: true });
  if (result.success) return result.output;
  const { field, problem } = describeIssue(result.issues[0]);
  const path = field === '' ? name : `${name}.${field}`;
  throw new PlatformError({
    kind: 'invalidRequest',
    operation: op.id,
    field: path,
    message: `${op.id}: ${path}: ${problem}. Nothing was sent.`,
  });
}

/** Returns the default for a missing input: none if it is optional, else an empty object, whose check names what is missing. */
function emptyFor(schema: v.GenericSchema): unknown {
  return schema.type === 'optional' ? undefined : {};
}

/** Checks a response; throws `invalidResponse` with the operation and the field. */
export function checkedAnswer<const S extends v.GenericSchema>(
  op: Pick<Operation, 'id' | 'host'>,
  schema: S,
  value: unknown,
  requestId?: string,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const { field, problem } = describeIssue(result.issues[0]);
  throw unusable(op, field, problem, requestId);
}

/** Creates the error for a field of a response; the empty name stands for the response itself. */
export function unusable(
  op: Pick<Operation, 'id' | 'host'>,
  field: string,
  problem: string,
  requestId?: string,
): PlatformError {
  return new PlatformError({
    kind: 'invalidResponse',
    operation: op.id,
    field: field === '' ? undefined : field,
    requestId,
    message: `The answer to ${plainName(op)} cannot be used: ${field === '' ? 'the answer' : `field ${field}`} ${problem}. The server may be of another version, or ${addressName(op)} may lead elsewhere.`,
  });
}

/** Describes what is wrong and where, without repeating the value (it may be a secret). */
export function describeIssue(issue: v.BaseIssue<unknown> | undefined): {
  readonly field: string;
  readonly problem: string;
} {
  if (!issue) return { field: '', problem: 'is not valid' };
  return { field: v.getDotPath(issue) ?? '', problem: problemOf(issue) };
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  if (issue.expected === 'never') return 'is not a field of this operation';
  if (issue.received === 'undefined') return 'is missing';
  // Valibot's own message repeats the value.
  return issue.message.startsWith('Invalid ') ? `is not ${expectedText(issue.expected)}` : issue.message;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
  Array: 'a list',
};

function expectedText(expected: string | null): string {
  if (expected === null) return 'valid';
  return typeNames[expected] ?? expected.replaceAll(' | ', ' or ').replaceAll(/[()]/g, '');
}
