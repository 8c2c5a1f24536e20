/** VS Code's themes in which pictures are made. */
export const themes = {
  light: 'Light 2026',
  dark: 'Dark 2026',
  'high contrast': 'Default High Contrast',
  'high contrast light': 'Default High Contrast Light',
} as const;

/** Classes that VS Code gives the window in each theme. */
export const themeClasses = {
  light: 'vs',
  dark: 'vs-dark',
  'high contrast': 'hc-black',
  'high contrast light': 'hc-light',
} as const satisfies Readonly<Record<keyof typeof themes, string>>;
