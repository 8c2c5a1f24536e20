import { useEffect, useState } from 'preact/hooks';
import type { ChatModel } from '../model.ts';
import { type Suggestion, suggestionsFor, withoutMark } from '../suggestions.ts';
import { useActions } from './actions.ts';

export interface Offer {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly pick: (suggestion: Suggestion) => void;
  /** Handles a key that belongs to the list; whether it did. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** What the composer offers for the draft, and the keys that choose from it. */
export function useSuggest(model: ChatModel): Offer {
  const { post } = useActions();
  const draft = model.draft.value;
  const [active, setActive] = useState(0);
  // The draft it was closed for, not a flag: a flag that an effect clears would undo an Escape that came before the effect.
  const [closedFor, setClosedFor] = useState<string>();
  useEffect(() => {
    setActive(0);
    setClosedFor((before) => (before === draft ? before : undefined));
  }, [draft]);
  const list = closedFor === draft ? [] : suggestionsFor(draft);
  const pick = ({ does }: Suggestion): void => {
    model.setDraft(withoutMark(draft));
    if (does === 'threads') model.showsThreads.value = true;
    else post(does);
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setActive((active + 1) % list.length),
    ArrowUp: () => setActive((active + list.length - 1) % list.length),
    Escape: () => setClosedFor(draft),
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
  return { list, active, pick, onKey };
}
