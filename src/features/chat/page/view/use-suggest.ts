import { useEffect, useState } from 'preact/hooks';
import { plural } from '#base/words.ts';
import type { ChatModel } from '../model.ts';
import { mentionQuery, type Suggestion, suggestionsFor, withSuggestion } from '../suggestions.ts';
import { useActions } from './actions.ts';

export interface Offer {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly pick: (suggestion: Suggestion) => void;
  /** Handles a key of the list; returns whether it did. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Returns the suggestions for the text before the cursor, and the key handler that chooses from them. */
export function useSuggest(model: ChatModel): Offer {
  const { post } = useActions();
  const draft = model.draft.value;
  const before = draft.slice(0, model.cursor.value);
  const [active, setActive] = useState(0);
  // Stores the text it was closed for, not a flag: a flag that an effect clears would undo an Escape that came before the effect.
  const [closedFor, setClosedFor] = useState<string>();
  const query = mentionQuery(before);
  useEffect(() => {
    setActive(0);
    setClosedFor((closed) => (closed === before ? closed : undefined));
  }, [before]);
  useEffect(() => model.findMentions(query), [query]);
  const list = closedFor === before ? [] : suggestionsFor(before, query === undefined ? [] : model.mentions.value);
  useEffect(() => announce(model, list, query), [list.length, query]);
  const pick = (suggestion: Suggestion): void => {
    const written = withSuggestion(before, suggestion);
    model.setDraft(`${written}${draft.slice(before.length)}`, written.length);
    if (suggestion.does === 'threads') model.showsThreads.value = true;
    else if (suggestion.does) post(suggestion.does);
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive((active + 1) % list.length),
    ArrowUp: () => setActive((active + list.length - 1) % list.length),
    Escape: () => setClosedFor(before),
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = list[active];
    if (!chosen || event.isComposing) return false;
    const chooses = (event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab';
    const move = moves[event.key];
    if (!chooses && !move) return false;
    event.preventDefault();
    event.stopPropagation();
    if (chooses) pick(chosen);
    else move?.();
    return true;
  };
  return { list, active: Math.min(active, Math.max(0, list.length - 1)), pick, onKey };
}

/** Announces the number of suggestions for a name to screen readers, because they arrive after the key. */
function announce(model: ChatModel, list: readonly Suggestion[], query: string | undefined): void {
  if (query === undefined) return;
  model.announcement.value = list.length === 0 ? 'No suggestions' : plural(list.length, 'suggestion');
}
