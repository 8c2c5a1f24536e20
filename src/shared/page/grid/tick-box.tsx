/** Draws a checkbox; its parent provides the state to screen readers. */
export function TickBox({ tick }: { readonly tick: boolean | 'mixed' }) {
  return (
    <span class={`grid-tick ${String(tick)}`} aria-hidden="true">
      {tick === 'mixed' ? '–' : tick ? '✓' : ''}
    </span>
  );
}
