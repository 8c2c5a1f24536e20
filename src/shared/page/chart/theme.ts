import type { Config } from 'vega-lite';

/** Returns the editor's colours; charts keep their own palette, which is legible on both backgrounds. */
export function chartTheme(): Config {
  const { classList } = document.body;
  const dark = classList.contains('vscode-dark') || classList.contains('vscode-high-contrast');
  const style = getComputedStyle(document.body);
  const variable = (name: string, otherwise: string): string => style.getPropertyValue(name).trim() || otherwise;
  const text = variable('--vscode-foreground', dark ? '#cccccc' : '#333333');
  const line = variable('--vscode-widget-border', dark ? '#454545' : '#d0d0d0');
  const font = variable('--vscode-font-family', 'sans-serif');
  return {
    background: 'transparent',
    font,
    view: { stroke: 'transparent' },
    axis: {
      labelColor: text,
      labelSeparation: 4,
      titleColor: text,
      gridColor: line,
      domainColor: line,
      tickColor: line,
      gridOpacity: 0.5,
    },
    legend: { labelColor: text, titleColor: text },
    header: { labelColor: text, titleColor: text },
    title: { color: text, subtitleColor: text },
    mark: { color: variable('--vscode-charts-blue', '#3794ff') },
    text: { color: text },
    rule: { color: text },
  };
}
