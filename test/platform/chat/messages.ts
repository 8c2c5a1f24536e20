/** A tool call as the wire carries it: `input` and `result` are JSON texts (docs/chat.md#messages). */
export interface ToolCall {
  readonly name: string;
  readonly input: string;
  /** Present once the call is complete. */
  readonly result?: string | undefined;
}

/** One message of a thread as a stream line (docs/chat.md#messages). */
export interface ThreadMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly thinking?: string | undefined;
  readonly toolCall?: ToolCall | undefined;
  readonly graphPath?: readonly string[] | undefined;
  /** `true`: content and thinking are increments; `false`: they are the whole. */
  readonly isDelta: boolean;
  readonly isInProcess: boolean;
  readonly isStructuredResponse?: boolean | undefined;
  /** Rises with every line of the thread. */
  readonly sort: number;
}

/** Token counts of the last line of a stream. */
export interface Usage {
  readonly models: readonly string[];
  readonly llmCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export type Line = Readonly<Record<string, unknown>>;

/** The line that ends the replayed history and says where the thread stands (docs/chat.md#events). */
export function cutoffLine(chatId: string, isStreaming: boolean): Line {
  return { id: '__cutoff__', role: 'assistant', content: '', sort: 0, state: { isStreaming, chatId } };
}

export function stateLine(chatId: string, messages: readonly ThreadMessage[], sort: number): Line {
  return { id: '__state__', role: 'assistant', content: '', sort, state: { isStreaming: false, chatId, messages } };
}

export function abortedLine(sort: number): Line {
  return { id: '__aborted__', role: 'assistant', content: '', code: 'chat_aborted', sort };
}

export function usageLine(usage: Usage, sort: number): Line {
  return { id: '__usage__', role: 'assistant', content: '', usage, ...usage, sort };
}

/** Puts a line onto what is known of its message: increments append, a whole replaces (docs/chat.md#events). */
export function merge(known: ThreadMessage | undefined, line: ThreadMessage): ThreadMessage {
  if (!known || !line.isDelta) return { ...line, isDelta: false };
  return {
    ...known,
    ...line,
    content: known.content + line.content,
    thinking: (known.thinking ?? '') + (line.thinking ?? ''),
    toolCall: line.toolCall ?? known.toolCall,
    isDelta: false,
  };
}
