import * as v from 'valibot';
import { err, ok, type Result } from '#base/result.ts';

const settings = v.looseObject({
  externalId: v.optional(v.pipe(v.string(), v.regex(/^\S+$/, 'must not be empty or hold spaces'), v.toLowerCase())),
  internalId: v.optional(v.pipe(v.string(), v.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'))),
  email: v.optional(v.string('must be a string')),
  userAttributes: v.optional(
    v.array(v.object({ name: v.string('must be a string'), value: v.string('must be a string') }), 'must be an array'),
  ),
  groups: v.optional(v.array(v.string('must be a string'), 'must be an array')),
  securityContext: v.optional(v.record(v.string(), v.unknown(), 'must be an object')),
  isEphemeral: v.optional(v.boolean('must be true or false')),
  ephemeralTtlSeconds: v.optional(v.pipe(v.number('must be a number'), v.minValue(1, 'must be at least 1'))),
});

/** `sessionSettings` as received (docs/chat.md#body-of-a-question); `externalId` in lower case. */
export type SessionSettings = v.InferOutput<typeof settings>;

const streamBody = v.looseObject({
  input: v.optional(v.string('must be a string')),
  chatId: v.optional(v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'))),
  messageId: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.regex(/^\d{13,}-message$/, 'must be <13 or more digit millisecond timestamp>-message'),
    ),
  ),
  activeBranchName: v.optional(v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'))),
  isDefaultBranch: v.optional(v.boolean('must be true or false')),
  sessionSettings: v.optional(v.unknown()),
});

export type StreamBody = v.InferOutput<typeof streamBody>;

const abortBody = v.looseObject({
  chatId: v.pipe(v.string('is required'), v.nonEmpty('is required')),
  sessionSettings: v.optional(v.unknown()),
});

type AbortBody = v.InferOutput<typeof abortBody>;

/** Reads the body of a stream request; the error names the field (400). */
export function readStreamBody(raw: unknown): Result<StreamBody, string> {
  const read = parse(streamBody, raw, '');
  if (!read.ok) return read;
  const { input, chatId } = read.value;
  if (input === undefined && chatId === undefined) return err('input is required when there is no chatId');
  return input?.trim() === '' ? err('input must not be empty') : read;
}

export function readAbortBody(raw: unknown): Result<AbortBody, string> {
  return parse(abortBody, raw, '');
}

/** Reads `sessionSettings`; only asked for with an API key, since a service token brings its own identity. */
export function readSessionSettings(raw: unknown): Result<SessionSettings, string> {
  if (raw === undefined || raw === null) return err('sessionSettings is required with API key authentication');
  const read = parse(settings, raw, 'sessionSettings');
  if (!read.ok) return read;
  const { externalId, internalId } = read.value;
  if (externalId === undefined && internalId === undefined) {
    return err('sessionSettings.externalId or sessionSettings.internalId is required');
  }
  if (internalId === undefined) return read;
  const extra = (['userAttributes', 'groups', 'securityContext'] as const).find(
    (name) => read.value[name] !== undefined,
  );
  return extra === undefined ? read : err(`sessionSettings.${extra} is not allowed with sessionSettings.internalId`);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, raw: unknown, prefix: string): Result<T, string> {
  const parsed = v.safeParse(schema, raw);
  if (parsed.success) return ok(parsed.output);
  const [issue] = parsed.issues;
  const path = [prefix, ...(issue.path ?? []).map((item) => String(item.key))].filter((part) => part !== '');
  if (path.length === 0) return err('The body must be a JSON object');
  return err(`${path.join('.')} ${issue.received === 'undefined' ? 'is required' : issue.message}`);
}
