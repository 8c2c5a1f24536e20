import { useEffect, useRef } from 'preact/hooks';
import { visible } from '#shared/page/visible.ts';
import type { Suggestion } from '../suggestions.ts';

export const SUGGEST_ID = 'suggestions';

/** Returns the id of a suggestion, for `aria-activedescendant`. */
export function suggestionId(index: number): string {
  return `${SUGGEST_ID}-${index}`;
}

const KINDS = {
  file: 'file',
  cube: 'cube',
  view: 'view',
  member: 'member',
  problem: 'problem',
  branch: 'branch',
  query: 'saved query',
} as const;

/** The list above the composer; the text field keeps the keyboard focus. */
export function Suggest(props: {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly onPick: (suggestion: Suggestion) => void;
}) {
  const { list, active, onPick } = props;
  const chosen = useRef<HTMLLIElement>(null);
  useEffect(() => chosen.current?.scrollIntoView?.({ block: 'nearest' }), [active]);
  if (list.length === 0) return null;
  return (
    <ul class="suggest" id={SUGGEST_ID} role="listbox" aria-label="Suggestions">
      {list.map((suggestion, at) => (
        <li
          key={suggestion.id}
          id={suggestionId(at)}
          ref={at === active ? chosen : null}
          role="option"
          aria-selected={at === active}
          // Before the click, so that the field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(suggestion);
          }}
        >
          <span class="suggest-word" dir="auto">
            {visible(suggestion.word)}
          </span>
          <span class="hint">
            {suggestion.kind === undefined ? '' : `${KINDS[suggestion.kind]} · `}
            <bdi>{visible(suggestion.detail)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}
