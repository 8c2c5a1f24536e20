import { type SplitQuestion, splitAttachments } from '#chat-core/attachments.ts';
import type { SendRefusal } from '#chat-core/send-refusal.ts';
import type { ChatService } from '#chat-core/service.ts';
import type { MessageOf } from './handlers.ts';

interface Desk {
  readonly service: Pick<ChatService, 'sendQueued' | 'unqueue'>;
  readonly threadKey: () => string;
  /** Puts a question back into the composer, with its attachments. */
  readonly giveBack: (question: SplitQuestion) => void;
  readonly refuse: (refusal: SendRefusal) => void;
}

/** The user's actions on a question that waits for the end of an answer: send, edit or remove. */
export class QueuedQuestions {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  handle({ id, action }: MessageOf<'queued'>): void {
    const { service, threadKey, giveBack, refuse } = this.#desk;
    if (action === 'send') {
      const sent = service.sendQueued(threadKey(), id, { acceptBranch: true });
      if (!sent.ok) refuse(sent.error);
      return;
    }
    const prompt = service.unqueue(threadKey(), id);
    if (action === 'edit' && prompt !== undefined) giveBack(splitAttachments(prompt));
  }
}
