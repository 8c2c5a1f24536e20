/** A drawn check box; what it stands for says how it is ticked. */
export function TickBox({ tick }: { readonly tick: boolean | 'mixed' }) {
  return (
    <span class={`grid-tick ${String(tick)}`} aria-hidden="true">
      {tick === 'mixed' ? '–' : tick ? '✓' : ''}
    </span>
  );
}
