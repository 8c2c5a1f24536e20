import type { Source } from './catalogue.ts';
import { tableCell } from './format.ts';
import { wordsOf } from './words.ts';

/** What the agent says of itself: asked for help, greeted, or at a loss. */
export function writeHelp(catalogue: readonly Source[], lead: string): string {
  const lines = [
    lead,
    '',
    'I am a **rule-based** agent of the local platform, not a language model: I look for words of your question in the data model, write a query, run it and tell you the rows. I can',
    '',
    '- count and sum things, by any dimension and over time,',
    '- rank them (*top 5*, *lowest*), filter by value (*in Germany*) or period (*last quarter*, *in 2025*), and compare,',
    '- say what the data model holds (*which measures are there?*),',
    '- draft a view (*write a view of orders with status and number of orders*),',
    '- tell a long story about the data.',
  ];
  const examples = examplesOf(catalogue);
  if (examples.length > 0) lines.push('', 'For example:', '', ...examples.map((example) => `- ${example}`));
  return `${lines.join('\n')}\n`;
}

function examplesOf(catalogue: readonly Source[]): readonly string[] {
  const source = catalogue.find(({ type }) => type === 'view') ?? catalogue[0];
  const measure = source?.entries.find((entry) => entry.kind === 'measure');
  const dimension = source?.entries.find((entry) => entry.kind === 'dimension' && entry.type === 'string');
  const time = source?.entries.find((entry) => entry.type === 'time');
  if (!measure) return [];
  const name = measure.title.toLowerCase();
  return [
    ...(time ? [`${measure.title} by month in 2025`] : []),
    ...(dimension ? [`Top 5 ${dimension.title.toLowerCase()} by ${name}`] : []),
    ...(dimension && time ? [`${measure.title} by ${dimension.title.toLowerCase()} last quarter`] : []),
  ];
}

/** What the data model holds; all of it, or the one cube or view that the question names. */
export function describeModel(question: string, catalogue: readonly Source[]): string {
  const words = new Set(wordsOf(question).map((word) => word.stem));
  const partsOf = (source: Source): readonly string[] =>
    wordsOf(source.name.replaceAll('_', ' ')).map((word) => word.stem);
  const mentioned = catalogue.filter((source) => partsOf(source).every((part) => words.has(part)));
  // *customer_overview* names the view of that name, not the cube customers.
  const [named] = mentioned.sort((a, b) => partsOf(b).length - partsOf(a).length);
  if (named) return describeSource(named);
  const count = (kind: 'measure' | 'dimension'): number =>
    catalogue.reduce((sum, source) => sum + source.entries.filter((entry) => entry.kind === kind).length, 0);
  const rows = catalogue.map((source) =>
    [source.name, source.type, source.description ?? '', ...counts(source)]
      .map((cell) => tableCell(String(cell)))
      .join(' | '),
  );
  return [
    `The data model has **${String(catalogue.length)}** cubes and views with **${String(count('measure'))}** measures and **${String(count('dimension'))}** dimensions.`,
    '',
    '| Name | Type | What it is | Measures | Dimensions |',
    '| --- | --- | --- | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
    '',
    'Ask for one by name to see its members.',
    '',
  ].join('\n');
}

function counts(source: Source): readonly number[] {
  const measures = source.entries.filter((entry) => entry.kind === 'measure').length;
  return [measures, source.entries.length - measures];
}

function describeSource(source: Source): string {
  const rows = source.entries.map(({ name, kind, type, title, description }) =>
    [`\`${name}\``, kind, type, description ?? title].map((cell) => tableCell(cell)).join(' | '),
  );
  return [
    `**${source.title}** (\`${source.name}\`, ${source.type})${source.description ? `: ${source.description}` : ''}`,
    '',
    '| Member | Kind | Type | What it is |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
