import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

/**
 * Folded content. The body is only built once it has been opened. `open` is where it stands until the person chooses;
 * from then on it is theirs.
 */
export function Disclosure(props: {
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
  readonly open?: boolean | undefined;
  readonly class?: string | undefined;
}) {
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const isOpen = chosen ?? props.open ?? false;
  const toggle = (event: Event): void => {
    event.preventDefault();
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
