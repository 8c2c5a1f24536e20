import type { TurnBranch } from '#chat-core/thread.ts';

/** The state of the window that the chat depends on. */
export type ChatContext =
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'noDeployment' }
  /** No tenant responds, and no earlier response is available to choose from. */
  | { readonly kind: 'offline' }
  | {
      readonly kind: 'ready';
      readonly accountId: string;
      /** The account's address: keys of one account never go to another account's chat unasked. */
      readonly tenantUrl: string;
      readonly deploymentId: string;
      readonly deploymentName: string;
      /** The active dev branch, otherwise the deploy branch; absent until the branches are known. */
      readonly branch?: TurnBranch | undefined;
    };

/** Settings under `modelbench.chat`. */
export interface ChatSettings {
  readonly sendWith: 'enter' | 'ctrlEnter';
  /** In pixels; 0 means the font size of the window. */
  readonly fontSize: number;
  /** Chat API URL for deployments without their own; read from user settings only. */
  readonly url: string;
  readonly serviceTokenHeader: string;
  readonly externalId: string;
  readonly internalId: string;
  /** Further fields of `sessionSettings`, unchecked. */
  readonly session: object;
  readonly notifyWhenReady: boolean;
  /** Days without activity after which a thread is deleted; 0 means never. */
  readonly keepThreads: number;
  /** Context attached to a question unless the user switches it off. */
  readonly context: readonly string[];
}
