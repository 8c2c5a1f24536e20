import type { ChatEvent } from '#api/chat-messages.ts';
import type { TurnBranch } from './thread.ts';

/** What a turn asks the platform (docs/chat.md#body-of-a-question). */
export interface TurnRequest {
  readonly input: string;
  readonly messageId: string;
  readonly chatId?: string | undefined;
  readonly branch?: TurnBranch | undefined;
}

/** The chat endpoints of one address with one credential. Failures are `PlatformError`s. */
export interface ChatTransport {
  /** Sends a turn, or attaches to it when its `messageId` is already being answered. */
  send(request: TurnRequest, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>>;
  /** Reads the thread's history and state without asking anything. */
  read(chatId: string, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>>;
  /** Stops the running answer (docs/chat.md#abortchatbyagent); resolves on 204. */
  abort(chatId: string, signal: AbortSignal): Promise<void>;
}

/** Whom the chat speaks to at the moment. */
export interface ChatTarget {
  /** Names account and address: a thread belongs to one scope for good. */
  readonly scope: string;
  /** For people, for example the deployment's name. */
  readonly label: string;
  /** What the user knows the agent by. */
  readonly agent?: string | undefined;
  /** The active branch; new turns are pinned to it. */
  readonly branch?: TurnBranch | undefined;
  readonly transport: ChatTransport;
}

/** A target, or why there is none and what to do. */
export type TargetState =
  | { readonly kind: 'ready'; readonly target: ChatTarget }
  | { readonly kind: 'missing'; readonly what: MissingPart; readonly message: string };

/** What has to be given before one can chat. */
export type MissingPart =
  | 'account'
  | 'connection'
  | 'deployment'
  | 'address'
  /** The account's key is not confirmed for the host of the address. */
  | 'consent'
  | 'credential'
  | 'settings'
  | 'trust';

/** Small text files in a folder of our own. `replace` is atomic: a crash leaves the old or the new text. */
export interface ChatFiles {
  read(name: string): Promise<string | undefined>;
  append(name: string, text: string): Promise<void>;
  replace(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** The names of all files. */
  names(): Promise<readonly string[]>;
}
