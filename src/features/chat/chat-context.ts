import type { TurnBranch } from '#chat-core/thread.ts';

/** What the window works on, as far as the chat is concerned. */
export type ChatContext =
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'noDeployment' }
  /** No tenant answers, and nothing of an earlier answer is there to choose from. */
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'ready';
      readonly accountId: string;
      /** The account's address: keys of one account never go to another's chat unasked. */
      readonly tenantUrl: string;
      readonly deploymentId: string;
      readonly deploymentName: string;
      /** The active dev branch, else the deploy branch; absent until the branches are known. */
      readonly branch?: TurnBranch | undefined;
    };

/** Settings under `modelbench.chat`. */
export interface ChatSettings {
  readonly sendWith: 'enter' | 'ctrlEnter';
  /** In pixels; 0: the size that the window uses. */
  readonly fontSize: number;
  /** Chat API URL for deployments that have none of their own; only from user settings. */
  readonly url: string;
  readonly serviceTokenHeader: string;
  readonly externalId: string;
  readonly internalId: string;
  /** Further fields of `sessionSettings`, unchecked. */
  readonly session: object;
  readonly notifyWhenReady: boolean;
  /** Days after which a thread in which nothing happened is deleted; 0: never. */
  readonly keepThreads: number;
  /** What goes along with a question unless the user switches it off. */
  readonly context: readonly string[];
}
