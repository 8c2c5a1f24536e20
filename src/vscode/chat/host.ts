import type { Attachment } from '#chat/attachments.ts';
import type { ChatThread, TurnBranch } from '#chat/thread.ts';
import type { QueryResult } from '#chat/tool-result.ts';
import type { ViewToHost } from '#protocol/chat.ts';

export type ResultAction = Extract<ViewToHost, { readonly type: 'tool' }>['action'];
export type AttachWhat = Extract<ViewToHost, { readonly type: 'attach' }>['what'];

/** What the chat asks of the editor around it. */
export interface ChatHost {
  copy(text: string): Promise<void>;
  /** Into the text editor that was last in use. */
  insert(text: string): Promise<void>;
  /** Shows code as a change to a model file that the person chooses, to be accepted or not. */
  applyCode(text: string, language: string): Promise<void>;
  openLink(href: string): Promise<void>;
  /** Goes to the definition of a cube, view or member. */
  openMember(name: string): Promise<void>;
  onResult(action: ResultAction, result: QueryResult, branch: TurnBranch | undefined): Promise<void>;
  /** `data`: base64 for PNG, text for SVG. */
  saveImage(name: string, format: 'png' | 'svg', data: string): Promise<void>;
  pickAttachment(what: AttachWhat): Promise<Attachment | undefined>;
  /** Gives what is missing: an account, a deployment, the Chat API URL, a credential. */
  setUp(what: string): Promise<void>;
  exportThread(thread: ChatThread): Promise<void>;
  confirmDelete(title: string): Promise<boolean>;
  askTitle(current: string): Promise<string | undefined>;
}
