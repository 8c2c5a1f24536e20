interface Item {
  readonly tooltip?: unknown;
  description?: string;
  readonly items?: readonly Item[];
  readonly marktype?: string;
}

const LONGEST = 500;

/**
 * Uses the tooltip of each mark as its accessible name, which is part of the picture. A mark without a tooltip keeps the name
 * from Vega-Lite.
 */
export function labelWithTooltips(scenegraph: unknown): void {
  visit((scenegraph as { readonly root: Item }).root);
}

function visit(item: Item): void {
  const tooltip = textOf(item.tooltip);
  if (tooltip !== '') item.description = tooltip;
  item.items?.forEach(visit);
}

function textOf(tooltip: unknown): string {
  if (tooltip === undefined || tooltip === null) return '';
  if (typeof tooltip === 'string') return tooltip.slice(0, LONGEST);
  if (typeof tooltip !== 'object') return JSON.stringify(tooltip) ?? '';
  return Object.entries(tooltip)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join('\n')
    .slice(0, LONGEST);
}
