import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ViewToHost } from '#features/chat/messages.ts';

type ToolMessage = Extract<ViewToHost, { readonly type: 'tool' }>;
/** The arrangement and the format of the rows that an action uses. */
type RowUse = Pick<ToolMessage, 'format' | 'order' | 'filter'>;

/** Requests that the components of the view make; their only channel to the host. */
export interface Actions {
  readonly post: (message: ViewToHost) => void;
  readonly openLink: (href: string) => void;
  readonly copy: (text: string) => void;
  readonly tool: (turn: string, id: string, action: ToolMessage['action'], use?: RowUse) => void;
  /** Puts a text into the composer. */
  readonly compose: (text: string) => void;
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

/** Returns the actions of the surrounding view; throws outside of one. */
export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error('The chat view was mounted without its actions.');
  return actions;
}
