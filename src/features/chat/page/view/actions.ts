import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ViewToHost } from '#features/chat/messages.ts';

type ToolMessage = Extract<ViewToHost, { readonly type: 'tool' }>;
/** How the rows that an action takes are arranged and written. */
type RowUse = Pick<ToolMessage, 'format' | 'order' | 'filter'>;

/** What the parts of the view can ask for; the one way from them to the host. */
export interface Actions {
  readonly post: (message: ViewToHost) => void;
  readonly openLink: (href: string) => void;
  readonly copy: (text: string) => void;
  readonly tool: (turn: string, id: string, action: ToolMessage['action'], use?: RowUse) => void;
  /** Puts words into the composer. */
  readonly compose: (text: string) => void;
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

/** The actions of the view around; throws outside of one. */
export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error('The chat view was mounted without its actions.');
  return actions;
}
