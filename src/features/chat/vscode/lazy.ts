import type { DisposableStore } from '#base/disposable.ts';
import { type ChatCommands, chatCommands } from '#shell/commands/chat-commands.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { type Handlers, handOver } from '#shell/vscode/register.ts';
import type { ChatDeps } from './deps.ts';
import type { LazyChat, OpenedChat } from './opened-chat.ts';

/** Returns a function that loads the chat once, when it is first needed. */
export function lazyChat(deps: ChatDeps, store: DisposableStore): LazyChat {
  let opened: Promise<OpenedChat> | undefined;
  return () => {
    opened ??= import('#features/chat/vscode/contribution.ts').then((module) => store.add(module.openChat(deps)));
    return opened;
  };
}

/** Opens the chat after the rest of the extension. */
export function chatContribution(chat: LazyChat): Contribution {
  return { id: 'chat', register: async (store) => (await chat()).register(store) };
}

/** Returns handlers that pass each command to the chat. */
export function chatHandlers(chat: LazyChat): Handlers<ChatCommands> {
  return handOver<ChatCommands>(chatCommands, chat);
}
