import type { CallOptions, Client } from '#api/client/client.ts';
import { isPlatformError } from '#api/errors.ts';
import type { Operation } from '#api/operation.ts';
import { checkedRequest } from '#api/client/validation.ts';
import { err, ok, type Result } from '#base/result.ts';
import { changedBody } from './changes.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import type { Fields } from './rows.ts';

/** A problem with a field of an edited document; `field` is a dotted path, empty for the document itself. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A document of the Administration view: how it is read, and how it is saved. */
export interface AdminDocument {
  /** A phrase for messages: `user “ada@shop.example”`. */
  readonly title: string;
  /** The path below the account's own folder: `/users/ada@shop.example.json`. */
  readonly path: string;
  /** Reads the platform's current version; for a new object, the template. */
  readonly read: () => Promise<Fields>;
  /** Absent for read-only documents. */
  readonly edit?: DocumentEdit | undefined;
  /** Why a document that looks editable is read-only. */
  readonly readonlyReason?: string | undefined;
}

/** The request that saving a document sends. */
interface Sends {
  readonly op: Operation;
  /** Returns the body: all fields, or only those that differ from `before`. */
  readonly bodyOf: (fields: Fields, before: Fields) => Fields;
  /** A documented rule across fields, which JSON Schema cannot express. */
  readonly rule?: (fields: Fields) => FieldProblem | undefined;
}

export interface DocumentEdit {
  /** Absent if saving takes several requests. */
  readonly sends?: Sends | undefined;
  /** Adds our explanations of the fields to the server’s own schema. */
  readonly explain?: ((schema: JsonSchema) => JsonSchema) | undefined;
  /** True until the object was created. */
  readonly isNew: boolean;
  readonly schema: JsonSchema;
  /** Checks what differs from `before`; returns the fields unchanged, or the problem. */
  readonly check: (fields: Fields, before: Fields) => Result<Fields, FieldProblem>;
  /**
   * Sends what differs from `before`, the platform's current version, and resolves to the document from then on. Throws
   * `PlatformError`, or `UserError` if the platform accepted only some of it.
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
 * Checks the fields that changed. Values that the platform itself returned are never refused, and the platform decides about
 * null, which clears a field.
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

/** Returns the field of the document that an error names. */
export function fieldOf(field: string | undefined): string {
  return (field ?? '').replace(/^body\.?/, '');
}

/**
 * Sends an operation with the document as its body. The body is not checked again: `check` checked the user's changes, and the
 * rest came from the platform. Resolves to the response as an object.
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

/** Fields that the platform sets itself. Documents leave them out, because they would be sent back. */
const ownFields = new Set(['id', 'createdAt', 'updatedAt', 'status']);

/** Converts a response to the fields of a document. */
export function editable(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !ownFields.has(name) && value !== undefined),
  );
}

/** Converts a name to one segment of a path. */
export function pathSegment(name: string): string {
  return name.replaceAll(/[/\\?#]/g, '-');
}

/** How a document is opened, apart from its content. */
export interface OpenOptions {
  readonly onSaved: () => Promise<void>;
  /** Plain data from which the document can be created again after the window was reloaded; saving may change it. */
  readonly recipe?: Readonly<Record<string, unknown>> | undefined;
}
