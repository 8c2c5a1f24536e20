import type { Logger } from '#base/log.ts';
import type { ViewToHost } from '#features/chat/messages.ts';
import type { ChatHost } from '#features/chat/host.ts';

/** A message of a view, by its type. */
export type MessageOf<Type extends ViewToHost['type']> = Extract<ViewToHost, { readonly type: Type }>;

/** What happens on each message of a view: one that is forgotten is a compile error. */
export type Handlers = {
  readonly [Type in ViewToHost['type']]: (message: MessageOf<Type>) => void | Promise<void>;
};

/** Runs the handler of a message. */
export async function handle(handlers: Handlers, message: ViewToHost): Promise<void> {
  const handler = handlers[message.type] as (message: ViewToHost) => void | Promise<void>;
  await handler(message);
}

type HostMessage = 'copy' | 'insert' | 'apply' | 'openLink' | 'openMember' | 'saveImage' | 'setUp' | 'log';

/** The messages that only ask the editor for something. */
export function hostHandlers(host: ChatHost, logger: Logger): Pick<Handlers, HostMessage> {
  return {
    copy: ({ text }) => host.copy(text),
    insert: ({ text }) => host.insert(text),
    apply: ({ text, language }) => host.applyCode(text, language),
    openLink: ({ href }) => host.openLink(href),
    openMember: ({ name }) => host.openMember(name),
    saveImage: ({ name, format, data }) => host.saveImage(name, format, data),
    setUp: ({ what }) => host.setUp(what),
    log: ({ message }) => logger.warn('The chat view reports a problem', { problem: message }),
  };
}
