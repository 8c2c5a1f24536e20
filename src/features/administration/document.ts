import type { CallOptions, Client } from '#api/client.ts';
import { isPlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { checkedRequest } from '#api/validation.ts';
import { err, ok, type Result } from '#base/result.ts';
import { changedBody } from './changes.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import type { Fields } from './rows.ts';

/** What is wrong with a field of an edited document; `field` is a dotted path, empty for the document itself. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The present text of a document, and what it was made from. */
export interface AdminDocument {
  /** As a user names it: `user ada@shop.example`. */
  readonly title: string;
  /** `/users/ada@shop.example.json`: below the account's own folder. */
  readonly path: string;
  /** What the platform has now; a new object's document has none. */
  readonly read: () => Promise<Fields>;
  /** Absent from documents that only show. */
  readonly edit?: DocumentEdit | undefined;
  /** Why a document that one might expect to edit only shows. */
  readonly readonlyReason?: string | undefined;
}

/** What saving a document sends. */
interface Sends {
  readonly op: Operation;
  /** The body: everything, or only what differs from `before`. */
  readonly bodyOf: (fields: Fields, before: Fields) => Fields;
  /** A documented rule across fields, which no JSON Schema says. */
  readonly rule?: (fields: Fields) => FieldProblem | undefined;
}

export interface DocumentEdit {
  /** Absent where saving takes several requests. */
  readonly sends?: Sends | undefined;
  /** Explains the fields of the server’s own schema as those of ours. */
  readonly explain?: ((schema: JsonSchema) => JsonSchema) | undefined;
  /** True until it was sent for the first time. */
  readonly isNew: boolean;
  readonly schema: JsonSchema;
  /** Checks what differs from `before` prior to sending: the fields as they are, or what is wrong. */
  readonly check: (fields: Fields, before: Fields) => Result<Fields, FieldProblem>;
  /**
   * Sends what differs from `before`, which is what the platform has, and answers what the document is from now on. Throws
   * `PlatformError`, or `UserError` where only some of it was accepted.
   */
  readonly send: (fields: Fields, before: Fields) => Promise<AdminDocument>;
}

/** Checks a body by the rules of its operation (docs/platform-api.md#requests-and-answers). */
export function checkBody(op: Operation, params: Fields | undefined, body: Fields): Result<Fields, FieldProblem> {
  try {
    checkedRequest(op, { params, body });
    return ok(body);
  } catch (error) {
    if (!isPlatformError(error, 'invalidRequest')) throw error;
    return err({ field: fieldOf(error.field), message: error.message.replace(/^\w+: (?:body\.)?/, '') });
  }
}

/**
 * Checks the fields that changed. What the platform itself served is never refused, and null, which clears a field, is for the
 * platform to judge.
 */
export function checkChanges(
  op: Operation,
  params: Fields | undefined,
  fields: Fields,
  before: Fields,
): Result<Fields, FieldProblem> {
  const changed = Object.entries(changedBody(before, fields)).filter(([, value]) => value !== null);
  const checked = checkBody(op, params, Object.fromEntries(changed));
  return checked.ok ? ok(fields) : checked;
}

/** The field of the document that a refusal names. */
export function fieldOf(field: string | undefined): string {
  return (field ?? '').replace(/^body\.?/, '');
}

/**
 * Sends an operation whose body is the document, as it is: `check` has judged what the user wrote, and the rest came from the
 * platform. What it answers is read as an object.
 */
export async function sendBody(
  client: Client,
  op: Operation,
  params: Fields | undefined,
  body: Fields,
  options?: CallOptions,
): Promise<Fields> {
  const request = params === undefined ? { body } : { params, body };
  const answer: unknown = await client.call({ ...op, roundTrip: true }, request, options);
  return (answer ?? {}) as Fields;
}

/** Fields that the platform sets itself: shown nowhere in a document, since they would be sent back. */
const ownFields = new Set(['id', 'createdAt', 'updatedAt', 'status']);

/** An answer as a document. */
export function editable(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !ownFields.has(name) && value !== undefined),
  );
}

/** A name as one part of a path. */
export function pathSegment(name: string): string {
  return name.replaceAll(/[/\\?#]/g, '-');
}

/** How a document is opened beside its content. */
export interface OpenOptions {
  readonly onSaved: () => Promise<void>;
  /** Plain data of which the document can be made again after the window was reloaded; saving may change it. */
  readonly recipe?: Readonly<Record<string, unknown>> | undefined;
}
