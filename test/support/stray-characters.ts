/** Names with a joiner or selector that nothing shows: each looks like another name. */
export const STRAY_NAMES: Readonly<Record<string, string>> = {
  'a joiner behind a letter': 'main\u200d',
  'a joiner before a letter': '\u200dmain',
  'a joiner within a word': 'ma\u200cin',
  'a joiner behind a letter with an accent': 'café\u200d',
  'a joiner behind a blank': 'my \u200dbranch',
  'two joiners': '👩\u200d\u200d💻',
  'a joiner between an emoji and a letter': '👩\u200da',
  'a selector behind a letter': 'main\ufe0f',
  'a selector behind a letter with an accent': 'café\ufe00',
  'a selector at the beginning': '\ufe0fmain',
  'a selector behind a digit': 'v1\ufe0e',
  'two selectors': '❤\ufe0f\ufe0f',
  'a selector of Han characters behind a letter': 'main\u{e0101}',
  'a selector of Han characters behind an emoji': '👍\u{e0101}',
};

/** Texts whose joiners and selectors are drawn. */
export const JOINED_TEXTS: readonly string[] = [
  '👩‍💻',
  '❤️‍🔥 hot',
  '❤️',
  '葛\u{e0100}飾区',
  'نامه‌ای',
  'क्‍ष',
  'क्‍ क',
  '1️⃣',
  '©️ 2026',
  '🏳️‍🌈',
  'ᠠ᠋',
];
