import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { ModelContext } from './model-context.ts';

interface DisclosureProps {
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly open?: boolean | undefined;
  readonly class?: string | undefined;
  /** Returns the text of the folded section, which unfolds while the find bar searches for something in it. */
  readonly textInside: () => string;
}

/**
 * Folded content. The body is only built once it has been opened. `open` applies until the user folds or unfolds it. Unfolding
 * for a search does not change the user's choice.
 */
export function Disclosure(props: DisclosureProps) {
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const found = useFound(props.textInside);
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

/** Whether the folded text contains the search text of the find bar, unless the user folded it during this very search. */
function useFound(textInside: () => string): { readonly is: boolean; readonly dismiss: () => void } {
  const wanted = useContext(ModelContext)?.findQuery.value ?? '';
  const [dismissed, dismiss] = useState('');
  if (dismissed !== '' && dismissed !== wanted) dismiss('');
  const is = wanted !== '' && wanted !== dismissed && includesText(textInside(), wanted);
  return { is, dismiss: () => dismiss(wanted) };
}

/** Whether a text includes the wanted one, even with Markdown markers between the letters. */
function includesText(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes(wanted) || lower.replaceAll(/[*_`~]/g, '').includes(wanted);
}
