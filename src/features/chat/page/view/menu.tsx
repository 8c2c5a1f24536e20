import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

export interface MenuItem {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}

interface MenuProps {
  /** The accessible name of the button, which shows three dots, and of its menu. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/**
 * A button with a menu below it. The menu takes up space in the page, because a turn clips what extends beyond it. Arrow keys,
 * Home, End and first letters move in it; Escape and Tab close it.
 */
export function Menu({ label, items }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  /** The item that has the focus; `undefined`: the menu is closed. */
  const [at, setAt] = useState<number | undefined>(undefined);
  const close = (): void => {
    setAt(undefined);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = at === undefined ? opening(event.key, items) : moved(event.key, at, items);
    if (next !== undefined) setAt(next);
    else if (event.key === 'Escape' && at !== undefined) close();
    else {
      if (event.key === 'Tab') setAt(undefined);
      return;
    }
    event.preventDefault();
  };
  return (
    <div
      class="menu-box"
      onKeyDown={onKeyDown}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // No element gets the focus when the user clicks outside all controls; or they switch windows, which leaves the menu
        // open.
        const isOutside = relatedTarget instanceof Node ? !currentTarget.contains(relatedTarget) : document.hasFocus();
        if (isOutside) setAt(undefined);
      }}
    >
      <button
        ref={button}
        type="button"
        class="icon-button"
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        aria-controls={at === undefined ? undefined : id}
        onClick={() => setAt(at === undefined ? 0 : undefined)}
      >
        <Icon name="more" />
      </button>
      {at !== undefined && (
        <div class="menu" id={id} role="menu" aria-label={label}>
          {items.map((item, index) => (
            <Item
              key={item.label}
              item={item}
              isActive={index === at}
              onPick={() => {
                close();
                item.onClick();
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function Item({
  item,
  isActive,
  onPick,
}: {
  readonly item: MenuItem;
  readonly isActive: boolean;
  readonly onPick: () => void;
}) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) element.current?.focus();
  }, [isActive]);
  return (
    <button ref={element} type="button" role="menuitem" tabIndex={-1} onClick={onPick}>
      <Icon name={item.icon} /> {item.label}
    </button>
  );
}

/** Returns the item at which a key on the button opens the menu; Enter and Space arrive as clicks. */
function opening(key: string, items: readonly MenuItem[]): number | undefined {
  if (key === 'ArrowDown') return 0;
  return key === 'ArrowUp' ? items.length - 1 : undefined;
}

function moved(key: string, at: number, items: readonly MenuItem[]): number | undefined {
  const last = items.length - 1;
  switch (key) {
    case 'ArrowDown':
      return at === last ? 0 : at + 1;
    case 'ArrowUp':
      return at === 0 ? last : at - 1;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return startingWith(key, at, items);
  }
}

/** Returns the next item that begins with a letter. */
function startingWith(letter: string, at: number, items: readonly MenuItem[]): number | undefined {
  if (letter.length !== 1 || letter === ' ') return undefined;
  const after = items.map((_, step) => (at + 1 + step) % items.length);
  return after.find((index) => items[index]?.label.toLowerCase().startsWith(letter.toLowerCase()));
}
