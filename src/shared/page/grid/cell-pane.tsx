import type { ComponentChildren } from 'preact';
import type { Column } from '#base/cells.ts';
import { visible } from '../visible.ts';

interface PaneProps {
  readonly column: Column | undefined;
  readonly value: string | null;
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
}

/** Shows the full value of the active cell; JSON is indented. */
export function CellPane({ column, value, actions, onClose }: PaneProps) {
  const about = value === null ? 'NULL' : `${value.length.toLocaleString('en')} characters`;
  return (
    <section
      class="cell-pane"
      aria-label={`Value of ${visible(column?.name ?? '')}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <strong dir="auto">{visible(column?.name ?? '')}</strong>
        <span class="hint">
          {column?.type} · {about}
        </span>
        {actions}
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </header>
      <pre tabIndex={0} dir="auto">
        {value === null ? 'null' : visible(indented(value))}
      </pre>
    </section>
  );
}

/** Formats JSON on several lines, unless parsing its numbers would lose digits. */
function indented(text: string): string {
  if (!/^\s*[[{]/.test(text) || /\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
