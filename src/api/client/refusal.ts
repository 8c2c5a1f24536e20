import type { PlatformErrorKind, RefusalReason } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';

interface Rule {
  readonly reason: RefusalReason;
  /** Left out if the status alone determines the kind: the message then only adds a hint. */
  readonly kind?: PlatformErrorKind;
  readonly message: RegExp;
}

/**
 * The same refusal may arrive as 400, 403 or 409, so its message is also read (docs/platform-api.md#refusals). The
 * outcome of a Git step never depends on messages: they only select the hint and the first button.
 */
const rules: readonly Rule[] = [
  { reason: 'threadBusy', kind: 'conflict', message: /streaming for thread is in progress/i },
  { reason: 'agentRequired', kind: 'forbidden', message: /agentid is required/i },
  {
    reason: 'stagingNotAllowed',
    kind: 'forbidden',
    message: /only shared branch|staging.*\b(?:not allowed|cannot|can't|only)\b|\b(?:cannot|can't|not)\b.*staging/i,
  },
  {
    reason: 'nothingToCommit',
    message:
      /\b(?:nothing|no (?:\w+ )?changes?)(?: \w+){0,2} to (?:be )?commit(?:ted)?\b|\bnothing (?:has )?changed since\b|\bworking tree (?:is )?clean\b/i,
  },
  {
    reason: 'uncommittedWork',
    message: /uncommitted|not (?:been )?committed|commit (?:them|it|your (?:changes|work)) first/i,
  },
  {
    reason: 'parentMoved',
    message:
      /pull (?:\S+ )*(?:first|before)|pull,? then|has moved since|parent (?:branch )?(?:has )?(?:moved|changed|is ahead)|(?:is|are) behind/i,
  },
  {
    reason: 'nothingToDo',
    message:
      /\balready up[- ]to[- ]date\b|\b(?:nothing|no (?:\w+ )?changes?)(?: \w+){0,2} to (?:be )?(?:merged?|pull(?:ed)?|deploy(?:ed)?)\b/i,
  },
  {
    reason: 'othersBranch',
    kind: 'forbidden',
    message: /(?:another|other) (?:person|user|member)(?:'s|’s)?\b.*\b(?:dev[- ]mode |dev |development )?branch/i,
  },
  {
    reason: 'readOnlyBranch',
    kind: 'forbidden',
    message:
      /\b(?:only|not|isn't)\b.*\b(?:dev[- ](?:mode|branch(?:es)?)|development (?:mode|branch(?:es)?))|dev[- ]mode (?:is )?(?:required|not (?:active|started))|read[- ]only branch/i,
  },
  {
    reason: 'outOfScope',
    kind: 'forbidden',
    message:
      /\bscoped?\b.*deployment|limited to (?:some|other|certain) deployments|not (?:authorized|allowed)(?: \w+){0,3} deployment/i,
  },
];

export interface Refusal {
  readonly kind: PlatformErrorKind;
  readonly reason?: RefusalReason | undefined;
}

/** The messages of the chat that are documented; everything else is judged by its status (docs/chat.md#errors). */
const chatReasons = new Set<RefusalReason>(['threadBusy', 'agentRequired']);

/** Determines the meaning of a 4xx response from its status, body and message together; in the chat, from its status. */
export function refusalOf(status: number, body: unknown, message: string | undefined, isChat = false): Refusal {
  const conflicts = isObject(body) ? body['conflicts'] : undefined;
  const refused = [400, 403, 409, 412, 422, 423].includes(status);
  if (refused && Array.isArray(conflicts) && conflicts.length > 0) return { kind: 'conflict', reason: 'gitConflict' };
  const rule =
    refused && message !== undefined
      ? rules.find((each) => (!isChat || chatReasons.has(each.reason)) && each.message.test(message))
      : undefined;
  if (rule) return { kind: rule.kind ?? kindOf(status), reason: rule.reason };
  return { kind: kindOf(status) };
}

function kindOf(status: number): PlatformErrorKind {
  switch (status) {
    case 401:
      return 'auth';
    case 402:
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'notFound';
    case 408:
      return 'timeout';
    case 409:
    case 412:
    case 423:
      return 'conflict';
    case 429:
      return 'rateLimit';
    default:
      if (status >= 500) return 'server';
      return status >= 400 ? 'invalidRequest' : 'invalidResponse';
  }
}

/** Returns the platform's own message, wherever an error body has it; a body that is only text is one. */
export function messageOf(body: unknown): string | undefined {
  const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
  const found = isPage ? undefined : textOf(body, 3);
  return found === undefined ? undefined : oneLine(found);
}

/** In a body with these, `error` only names the class of the failure (`Bad Request`, `invalid_grant`). */
const detailed = ['error_description', 'statusCode', 'status'];
const named = ['error', 'message', 'error_description', 'detail', 'title', 'errors', 'msg'];

function textOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value)) {
    const texts = value.slice(0, 5).map((each) => textOf(each, depth));
    return texts.filter((text) => text !== undefined).join('; ') || undefined;
  }
  if (!isObject(value) || depth === 0) return undefined;
  const isDetailed = detailed.some((name) => value[name] !== undefined);
  const [error, ...others] = named.map((name) => textOf(value[name], depth - 1));
  return (isDetailed ? [...others, error] : [error, ...others]).find((text) => text !== undefined);
}

const longestMessage = 600;

function oneLine(text: string): string {
  // Databases point at a column of their own text with a line of carets, which means nothing in one line.
  const line = text
    .replaceAll(/^[ \t]*[\^~]+[ \t]*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longestMessage ? `${line.slice(0, longestMessage)}…` : line;
}
