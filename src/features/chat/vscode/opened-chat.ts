import type { Disposable } from '#base/disposable.ts';
import type { ChatCommands } from '#shell/commands/chat-commands.ts';
import type { ShownQuery } from '#shell/shown-query.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { SavedAnswers } from './saved-answers.ts';
import type { Handlers } from '#shell/vscode/register.ts';

/** The loaded chat, with everything that the extension registers of it. */
export interface OpenedChat extends Disposable {
  /** Registers the chat's view, its editors and their restoring. */
  readonly register: Contribution['register'];
  readonly commands: Handlers<ChatCommands>;
  /** Resolves to the saved questions, whose answers can be compared between branches. */
  readonly answers: () => Promise<Pick<SavedAnswers, 'count' | 'compare'>>;
  /** Runs a query and shows its rows in an editor. */
  readonly showResults: (query: ShownQuery) => void;
  /** Shows the shown deployment's thread with this platform id. */
  readonly openLinked: (chatId: string) => Promise<void>;
  /** Drops the threads of an account, whose files are erased next. */
  readonly forgetAccount: (accountId: string) => void;
  /** Has open pages forget the unsent texts of the accounts that were erased. */
  readonly forgetErased: () => void;
}

/** Loads the chat at its first use. */
export type LazyChat = () => Promise<OpenedChat>;
