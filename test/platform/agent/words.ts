/** A word of a question: as it was written, and its stem. */
export interface Word {
  readonly text: string;
  readonly stem: string;
}

/** Splits a text into words; accents and case do not matter. */
export function wordsOf(text: string): readonly Word[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...plain.matchAll(/[a-z0-9]+/g)].map(([word]) => ({ text: word, stem: stem(word) }));
}

/** Brings plurals and a few verb forms together; nothing cleverer is needed to find a member by its title. */
function stem(word: string): string {
  if (word.length <= 3 || /^\d+$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Words that ask, point or join: they never name a thing of the data. */
const empty = new Set(
  `a about all am an and any are as at be been by can compare could did do does each every find for from get give got had
  has have how i in into is it its know let like list look many me more much my need number of on only or our out over per
  please report see should show split tell than that the their them then there these they this those to total us value want
  was we were what when where which who whose will with would you your up grouped group across total overall amount sum count
  data number top best worst bottom most least highest lowest biggest smallest largest versus vs between since before after
  strongest weakest busiest fewest until last past previous next current year month quarter week day today yesterday daily weekly monthly quarterly yearly
  annual annually time trend during against compared comparison us using chart plot graph table draw make go also just now`.split(
    /\s+/,
  ),
);

export function isEmptyWord(word: Word): boolean {
  return empty.has(word.text) || empty.has(word.stem);
}

const synonyms: Readonly<Record<string, readonly string[]>> = {
  sale: ['revenue'], turnover: ['revenue'], income: ['revenue'], earning: ['revenue'], money: ['revenue'],
  profit: ['margin'], client: ['customer'], buyer: ['customer'], shopper: ['customer'], people: ['customer'],
  user: ['customer', 'user'], purchase: ['order'], sold: ['unit', 'sold'], quantity: ['unit', 'quantity'],
  article: ['product'], shop: ['store'], nation: ['country'], land: ['country'], state: ['status'], town: ['city'],
  kind: ['type', 'kind'], source: ['channel'], refund: ['refunded', 'refund'], aov: ['average', 'order', 'value'],
}; // prettier-ignore

/** The stems that a word may stand for, itself first. */
export function meanings(word: Word): readonly string[] {
  return [word.stem, ...(synonyms[word.stem] ?? [])];
}
