import type { ChatEvent } from '#api/streams/chat-messages.ts';
import type { TurnBranch } from './thread.ts';

/** The request of a turn (docs/chat.md#body-of-a-question). */
export interface TurnRequest {
  readonly input: string;
  readonly messageId: string;
  readonly chatId?: string | undefined;
  readonly branch?: TurnBranch | undefined;
}

/** The chat endpoints of one address with one credential. Failures are `PlatformError`s. */
export interface ChatTransport {
  /** Sends a turn, or attaches to it if the platform is already answering its `messageId`. */
  send(request: TurnRequest, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>>;
  /** Reads the thread's history and state without sending a question. */
  read(chatId: string, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>>;
  /** Stops the running answer (docs/chat.md#abortchatbyagent); resolves on 204. */
  abort(chatId: string, signal: AbortSignal): Promise<void>;
}

/** The agent that the chat currently talks to. */
export interface ChatTarget {
  /** Identifies the account and the address: a thread belongs to one scope permanently. */
  readonly scope: string;
  /** The label for the user, such as the deployment's name. */
  readonly label: string;
  /** The name by which the user knows the agent. */
  readonly agent?: string | undefined;
  /** The active branch; new turns are pinned to it. */
  readonly branch?: TurnBranch | undefined;
  readonly transport: ChatTransport;
}

/** A target, or why there is none and what to do. */
export type TargetState =
  | { readonly kind: 'ready'; readonly target: ChatTarget }
  | { readonly kind: 'missing'; readonly what: MissingPart; readonly message: string };

/** What the user must provide before chatting. */
export type MissingPart =
  | 'account'
  | 'connection'
  | 'deployment'
  | 'address'
  /** The user has not confirmed the account's key for the host of the address. */
  | 'consent'
  | 'credential'
  | 'settings'
  | 'trust';

/** Small text files in our own folder. `replace` is atomic: after a crash, the file has either the old or the new text. */
export interface ChatFiles {
  read(name: string): Promise<string | undefined>;
  append(name: string, text: string): Promise<void>;
  replace(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves to the names of all files. */
  names(): Promise<readonly string[]>;
}
