import type { Logger } from '#base/log.ts';
import type { ViewToHost } from '#features/chat/messages.ts';
import type { ChatHost } from '#features/chat/host.ts';

/** The view's message with a given type. */
export type MessageOf<Type extends ViewToHost['type']> = Extract<ViewToHost, { readonly type: Type }>;

/** A handler for each message of a view: a missing one is a compile error. */
export type MessageHandlers = {
  readonly [Type in ViewToHost['type']]: (message: MessageOf<Type>) => void | Promise<void>;
};

/** Runs the handler of a message. */
export async function handle(handlers: MessageHandlers, message: ViewToHost): Promise<void> {
  const handler = handlers[message.type] as (message: ViewToHost) => void | Promise<void>;
  await handler(message);
}

type HostMessage = 'copy' | 'insert' | 'apply' | 'openLink' | 'openMember' | 'saveImage' | 'setUp' | 'log';

/** Returns the handlers of the messages that only need the editor. */
export function hostHandlers(host: ChatHost, logger: Logger): Pick<MessageHandlers, HostMessage> {
  const { texts, results } = host;
  return {
    copy: ({ text }) => texts.copy(text),
    insert: ({ text }) => texts.insert(text),
    apply: ({ text, language }) => texts.applyCode(text, language),
    openLink: ({ href }) => texts.openLink(href),
    openMember: ({ name }) => texts.openMember(name),
    saveImage: ({ name, format, data }) => results.saveImage(name, format, data),
    setUp: ({ what }) => host.setUp(what),
    log: ({ message }) => logger.warn('The chat view reports a problem', { problem: message }),
  };
}
