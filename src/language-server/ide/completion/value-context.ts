import type { Cursor } from '#model/cursor/cursor.ts';
import type { EntitySymbol } from '#model/symbols.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** Everything that the completions of a value can depend on. */
export interface ValueContext {
  readonly cursor: Cursor;
  readonly opened: Opened;
  /** The value from its first character to the cursor. */
  readonly word: string;
  readonly wordStart: number;
  readonly owner: EntitySymbol | undefined;
}
