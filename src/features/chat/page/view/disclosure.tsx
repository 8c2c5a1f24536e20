import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { ModelContext } from './model-context.ts';

interface DisclosureProps {
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly open?: boolean | undefined;
  readonly class?: string | undefined;
  /** The words in the folded part: while one looks for some of them, it is unfolded. */
  readonly words: () => string;
}

/**
 * Folded content. The body is only built once it has been opened. `open` is where it stands until the user chooses;
 * from then on it is theirs. Unfolding for a search changes nothing that was chosen.
 */
export function Disclosure(props: DisclosureProps) {
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const found = useFound(props.words);
  const isOpen = found.is || (chosen ?? props.open ?? false);
  const toggle = (event: Event): void => {
    event.preventDefault();
    if (found.is) found.dismiss();
    choose(!isOpen);
  };
  return (
    <details class={props.class} open={isOpen}>
      <summary onClick={toggle}>
        <Icon name="chevron" />
        {props.summary}
      </summary>
      {isOpen && props.children()}
    </details>
  );
}

/** Whether what the find bar looks for is in the folded words, unless the user folded them for these very words. */
function useFound(words: () => string): { readonly is: boolean; readonly dismiss: () => void } {
  const wanted = useContext(ModelContext)?.findWords.value ?? '';
  const [dismissed, dismiss] = useState('');
  if (dismissed !== '' && dismissed !== wanted) dismiss('');
  const is = wanted !== '' && wanted !== dismissed && hasWords(words(), wanted);
  return { is, dismiss: () => dismiss(wanted) };
}

/** Also where marks of Markdown stand between the letters. */
function hasWords(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes(wanted) || lower.replaceAll(/[*_`~]/g, '').includes(wanted);
}
