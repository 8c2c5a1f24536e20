import { visible } from '#shared/page/visible.ts';
import type { Suggestion } from '../suggestions.ts';

export const SUGGEST_ID = 'suggestions';

/** The id of an offered line, for `aria-activedescendant`. */
export function suggestionId(index: number): string {
  return `${SUGGEST_ID}-${index}`;
}

/** The list above the composer; the keyboard stays in the text field. */
export function Suggest(props: {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly onPick: (suggestion: Suggestion) => void;
}) {
  const { list, active, onPick } = props;
  if (list.length === 0) return null;
  return (
    <ul class="suggest" id={SUGGEST_ID} role="listbox" aria-label="Suggestions">
      {list.map((suggestion, at) => (
        <li
          key={suggestion.word}
          id={suggestionId(at)}
          role="option"
          aria-selected={at === active}
          // Before the click, so that the field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(suggestion);
          }}
        >
          <span>{visible(suggestion.word)}</span>
          <span class="hint">{visible(suggestion.detail)}</span>
        </li>
      ))}
    </ul>
  );
}
