import { visible } from '#shared/page/visible.ts';

/** Shapes of the icons in use, drawn for a 16 × 16 grid in VS Code's line style. */
const SHAPES = {
  add: 'M8 3v10M3 8h10',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.8-4.1M2.5 2.5v2.4h2.4M8 5v3.2l2.2 1.4',
  send: 'M2.5 13.2 13.8 8 2.5 2.8l1.6 5.2zM4.1 8h5.4',
  stop: 'M4.5 4.5h7v7h-7z',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  insert: 'M8 2.5v7M5 6.8l3 3 3-3M2.5 13h11',
  diff: 'M4.5 3.5h7M8 1v5M4.5 8.5h7M2.5 13.5h11',
  play: 'M4.5 2.8 12.8 8l-8.3 5.2z',
  file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  retry: 'M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 2.5v2.4h-2.4',
  edit: 'M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4z',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  error: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  warning: 'M8 2.2 14.2 13.5H1.8zM8 6.5v3.2M8 11.2v.6',
  info: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 7.3v4M8 4.8v.6',
  search: 'M6.8 2.5a4.3 4.3 0 1 1 0 8.6 4.3 4.3 0 0 1 0-8.6zM10 10l3.5 3.5',
  database: 'M3 3.8c0-2.4 10-2.4 10 0v8.4c0 2.4-10 2.4-10 0zM3 3.8c0 2.4 10 2.4 10 0M3 8c0 2.4 10 2.4 10 0',
  tool: 'M9.6 6.4a3.4 3.4 0 0 1 4-4.4L11.5 4l.5.5 2-2a3.4 3.4 0 0 1-4.4 4L4 12.1 2.9 11z',
  branch:
    'M4.5 5.2v5.6M4.5 5.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM4.5 14a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM11.5 6.7a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2zM11.5 6.7c0 2.6-7 1.6-7 4.1',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  enlarge: 'M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9',
  up: 'M3.5 10 8 5.5 12.5 10',
  down: 'M3.5 6 8 10.5 12.5 6',
  attach: 'M11.8 7.2 7 12a2.6 2.6 0 0 1-3.7-3.7l5.6-5.6a1.7 1.7 0 0 1 2.5 2.5L6 10.6',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  save: 'M8 2.5v7M5 6.5l3 3 3-3M2.5 10.5v3h11v-3',
  more: 'M3.5 7.5v1M8 7.5v1M12.5 7.5v1M3 8h1M7.5 8h1M12 8h1',
  chart: 'M2.5 2.5v11h11M5.5 11V8M8.5 11V4.5M11.5 11V6.5',
  sparkle: 'M8 1.5l1.6 4.9L14.5 8l-4.9 1.6L8 14.5 6.4 9.6 1.5 8l4.9-1.6z',
  user: 'M8 8.2a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM2.8 14c.4-5 10-5 10.4 0',
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon beside a label, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}

/** A button that is only an icon, with an accessible name. */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean | undefined;
}) {
  const label = visible(props.label);
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
