import type { StreamMessage } from '#api/streams/chat-messages.ts';
import type { KeyedList } from '#base/keyed-list.ts';
import { withMore } from './recent-text.ts';
import type { ChatMessage } from './thread.ts';

/**
 * Merges an assistant message of the stream into a list (docs/chat.md#messages): a delta of a known id appends, everything else
 * replaces. If `sort` rises with every event, an event that is not newer is a repeat and changes nothing, except for the final
 * message: it is complete, so it replaces everything before it.
 */
export function upsert(messages: KeyedList<ChatMessage>, event: StreamMessage): KeyedList<ChatMessage> {
  const known = messages.get(event.id);
  if (!known) return messages.with(created(event));
  if (isRepeat(known, event)) return messages;
  return messages.with(event.isDelta ? appended(known, event) : replaced(known, event));
}

function created(event: StreamMessage): ChatMessage {
  const { id, text, thinking, toolCall, graphPath, isInProcess, sort } = event;
  return { id, text, thinking, toolCall, graphPath, isInProcess, sort, revision: 0 };
}

function isRepeat(known: ChatMessage, event: StreamMessage): boolean {
  if (!event.isDelta && !event.isInProcess) return false;
  return known.sortRises === true && event.sort !== undefined && known.sort !== undefined && event.sort <= known.sort;
}

function appended(known: ChatMessage, event: StreamMessage): ChatMessage {
  return {
    ...merged(known, event),
    text: known.text + event.text,
    thinking: known.thinking + event.thinking,
    revision: known.revision,
    recent: {
      text: withMore(known.recent?.text, known.text, event.text),
      thinking: withMore(known.recent?.thinking, known.thinking, event.thinking),
    },
  };
}

/**
 * Replaces a message by the platform's complete version. That version does not repeat the thinking, so the previous one is kept.
 */
function replaced(known: ChatMessage, event: StreamMessage): ChatMessage {
  const thinking = event.thinking === '' ? known.thinking : event.thinking;
  const grew = event.text.startsWith(known.text) && thinking.startsWith(known.thinking);
  return {
    ...merged(known, event),
    text: event.text,
    thinking,
    revision: known.revision + (grew ? 0 : 1),
    recent: undefined,
  };
}

function merged(known: ChatMessage, event: StreamMessage): ChatMessage {
  const call = event.toolCall;
  return {
    ...known,
    graphPath: event.graphPath.length > 0 ? event.graphPath : known.graphPath,
    toolCall: call ? { ...call, input: call.input ?? known.toolCall?.input } : known.toolCall,
    isInProcess: event.isInProcess,
    sort: highest(known.sort, event.sort),
    sortRises: known.sortRises === true || rises(known.sort, event.sort),
  };
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

function rises(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now > before;
}
