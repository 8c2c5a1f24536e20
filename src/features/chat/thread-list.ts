import type { ThreadSummary } from '#chat-core/records.ts';
import type { ChatService } from '#chat-core/service.ts';
import { isRunning } from '#chat-core/thread.ts';
import type { MessageHandlers } from './handlers.ts';
import type { ThreadActions } from './host.ts';
import type { HostToView, ViewThreadItem } from './messages.ts';

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

/** Returns the threads as a view lists them. */
export function threadItems(
  threads: readonly ThreadSummary[],
  isElsewhere: (scope: string, turns: number) => boolean,
): ViewThreadItem[] {
  return threads.map(({ key, title, updatedAt, branch, scope, turns, phase }) => ({
    key,
    title,
    updatedAt,
    branch: branch?.name,
    running: phase !== undefined && isRunning({ phase }),
    elsewhere: isElsewhere(scope, turns),
  }));
}
