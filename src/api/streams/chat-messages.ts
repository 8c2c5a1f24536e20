import * as v from 'valibot';

/** A tool call as in the stream: `input` and `result` are JSON texts, which are parsed when they are shown. */
export interface StreamToolCall {
  readonly name: string;
  readonly input?: string | undefined;
  /** Present only when the call is complete. */
  readonly result?: string | undefined;
}

/** One message line (docs/chat.md#messages). `text` and `thinking` are increments if `isDelta`, else complete. */
export interface StreamMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly thinking: string;
  readonly toolCall?: StreamToolCall | undefined;
  readonly graphPath: readonly string[];
  readonly isDelta: boolean;
  readonly isInProcess: boolean;
  readonly sort?: number | undefined;
}

/** Token counts of the last line; a server that does not count leaves them out. */
export interface StreamUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
}

/** Every kind of line of a chat stream (docs/chat.md#stream). */
export type ChatEvent =
  | { readonly kind: 'cutoff'; readonly chatId?: string | undefined; readonly isStreaming: boolean }
  | {
      readonly kind: 'state';
      readonly chatId?: string | undefined;
      readonly isStreaming: boolean;
      readonly messages: readonly StreamMessage[];
    }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'suspended'; readonly messageId?: string | undefined }
  | { readonly kind: 'usage'; readonly usage: StreamUsage }
  | { readonly kind: 'error'; readonly message: string; readonly code?: number | string | undefined }
  | { readonly kind: 'message'; readonly message: StreamMessage }
  | { readonly kind: 'ignored'; readonly what: string };

/** Reads one parsed line. Never throws: a line that is not understood becomes `ignored`, with its name. */
export function parseChatLine(line: unknown): ChatEvent {
  const parsed = v.safeParse(LineSchema, line);
  if (!parsed.success) return { kind: 'ignored', what: 'a line that is not an object' };
  const { id } = parsed.output;
  if (id === undefined) return errorEvent(parsed.output) ?? { kind: 'ignored', what: 'a line without id' };
  if (id.startsWith('__') && id.endsWith('__')) return sentinelEvent(id, parsed.output);
  const message = streamMessage(parsed.output);
  if (message) return { kind: 'message', message };
  // A JSON-RPC error may repeat the id of its request.
  return errorEvent(parsed.output) ?? { kind: 'ignored', what: 'a message without a known role' };
}

// A field with an unexpected type is read as absent: one odd field must not cost the whole line.
const text = v.fallback(v.optional(v.string()), undefined);
const count = v.fallback(v.optional(v.number()), undefined);
const flag = v.fallback(v.optional(v.boolean()), undefined);
const jsonText = v.fallback(
  v.optional(
    v.union([
      v.string(),
      v.pipe(
        v.looseObject({}),
        v.transform((value) => JSON.stringify(value)),
      ),
    ]),
  ),
  undefined,
);
const StateSchema = v.object({
  chatId: text,
  isStreaming: v.fallback(v.optional(v.boolean(), false), false),
  messages: v.fallback(v.optional(v.array(v.unknown()), []), []),
  suspended: v.fallback(v.optional(v.object({ messageId: text }), {}), { messageId: undefined }),
});
const noState = v.parse(StateSchema, {});
const LineSchema = v.object({
  id: text,
  role: text,
  content: text,
  thinking: text,
  toolCall: v.fallback(v.optional(v.object({ name: v.string(), input: jsonText, result: jsonText })), undefined),
  graphPath: v.fallback(v.optional(v.array(v.string())), undefined),
  isDelta: flag,
  isInProcess: flag,
  sort: count,
  state: v.fallback(v.optional(StateSchema, {}), noState),
  error: v.optional(v.unknown()),
  messageId: text,
  inputTokens: count,
  outputTokens: count,
  totalTokens: count,
  usage: v.fallback(v.optional(v.object({ inputTokens: count, outputTokens: count, totalTokens: count })), undefined),
});
type Line = v.InferOutput<typeof LineSchema>;

function sentinelEvent(id: string, line: Line): ChatEvent {
  const { state } = line;
  switch (id) {
    case '__cutoff__':
      return { kind: 'cutoff', chatId: state.chatId, isStreaming: state.isStreaming };
    case '__state__':
      return {
        kind: 'state',
        chatId: state.chatId,
        isStreaming: state.isStreaming,
        messages: state.messages.flatMap((message) => listedMessage(message)),
      };
    case '__aborted__':
      return { kind: 'aborted' };
    case '__suspended__':
      return { kind: 'suspended', messageId: line.messageId ?? state.suspended.messageId };
    case '__usage__': {
      const { inputTokens, outputTokens, totalTokens } = line.usage ?? line;
      return { kind: 'usage', usage: { inputTokens, outputTokens, totalTokens } };
    }
    default:
      return { kind: 'ignored', what: id };
  }
}

function streamMessage(line: Line): StreamMessage | undefined {
  if (line.id === undefined || (line.role !== 'user' && line.role !== 'assistant')) return undefined;
  return {
    id: line.id,
    role: line.role,
    text: line.content ?? '',
    thinking: line.thinking ?? '',
    toolCall: line.toolCall,
    graphPath: line.graphPath ?? [],
    isDelta: line.isDelta ?? false,
    isInProcess: line.isInProcess ?? false,
    sort: line.sort,
  };
}

/** Reads a message of the final state, which is complete whatever its flags say. */
function listedMessage(value: unknown): StreamMessage[] {
  const event = parseChatLine(value);
  return event.kind === 'message' ? [{ ...event.message, isDelta: false }] : [];
}

const ErrorObjectSchema = v.fallback(
  v.object({ message: text, code: v.fallback(v.optional(v.union([v.number(), v.string()])), undefined) }),
  { message: undefined, code: undefined },
);

/** Reads `{"error": "…"}` or a JSON-RPC error object; an error in another form is one, too. */
function errorEvent({ error }: Line): ChatEvent | undefined {
  if (error === undefined || error === null || error === false) return undefined;
  const { message, code } = typeof error === 'string' ? { message: error } : v.parse(ErrorObjectSchema, error);
  const shown =
    message === undefined || message.trim() === '' ? 'The platform reported an error without a message.' : message;
  return { kind: 'error', message: shown, code };
}
