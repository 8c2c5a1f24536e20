import type { ChatService } from '#chat-core/service.ts';
import type { MessageHandlers } from './handlers.ts';
import type { ThreadActions } from './host.ts';
import type { HostToView } from './messages.ts';

type ThreadMessage = 'renameThread' | 'deleteThread' | 'deleteAllThreads' | 'searchThreads';

/** Returns the handlers of the user's actions on the list of threads. */
export function threadHandlers(
  service: ChatService,
  actions: Pick<ThreadActions, 'askTitle' | 'confirmDelete' | 'confirmDeleteAll'>,
  post: (message: HostToView) => void,
): Pick<MessageHandlers, ThreadMessage> {
  const titleOf = (wanted: string): string => service.threads.value.find(({ key }) => key === wanted)?.title ?? '';
  return {
    renameThread: async ({ key }) => {
      const title = await actions.askTitle(titleOf(key));
      if (title !== undefined) await service.rename(key, title);
    },
    deleteThread: async ({ key }) => {
      if (await actions.confirmDelete(titleOf(key))) await service.remove(key);
    },
    deleteAllThreads: async () => {
      if (await actions.confirmDeleteAll(service.threads.value.length)) await service.removeAll();
    },
    searchThreads: async ({ version, query }) => {
      const found = await service.search(query);
      post({ type: 'foundThreads', version, found: found.map((each) => ({ ...each })) });
    },
  };
}
