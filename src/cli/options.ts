import { Argument, Option } from 'commander';
import * as v from 'valibot';
import type { Tool } from '#tools/tool.ts';

/** A field of a tool's input as the command line needs it. */
interface Field {
  readonly description: string;
  readonly isOptional: boolean;
  readonly kind: 'flag' | 'number' | 'text';
  readonly choices: readonly string[] | undefined;
  readonly fallback: unknown;
}

/** Returns the usage of a tool's command: `[options] <name>`. */
export function usageOf({ input, positional }: Tool): string {
  const names = positional.map((name) => (fieldOf(input.entries[name]).isOptional ? `[${name}]` : `<${name}>`));
  return ['[options]', ...names].join(' ');
}

/** Returns the arguments that a tool takes by position. The tool itself refuses to run without one that it needs. */
export function argumentsOf({ input, positional }: Tool): readonly Argument[] {
  return positional.map((name) => {
    const { description, choices } = fieldOf(input.entries[name]);
    const argument = new Argument(`[${name}]`, description);
    // The tool refuses what is wrong, in the same words for every caller.
    return choices ? argument.choices(choices).argParser(asGiven) : argument;
  });
}

/** Returns the options of a tool: every field of its input that is not taken by position. */
export function optionsOf({ input, positional }: Tool): readonly Option[] {
  return Object.entries(input.entries)
    .filter(([name]) => !positional.includes(name))
    .map(([name, schema]) => {
      const { description, kind, choices, fallback } = fieldOf(schema);
      const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      const option = new Option(kind === 'flag' ? flag : `${flag} <${kind}>`, description);
      if (choices) option.choices(choices).argParser(asGiven);
      else if (kind === 'number') option.argParser(numberIn);
      if (fallback !== undefined && kind !== 'flag') option.default(fallback);
      return option;
    });
}

/** Returns the input of a tool from arguments and options. */
export function inputOf(
  { input, positional }: Tool,
  values: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = { ...options, ...Object.fromEntries(positional.map((name, at) => [name, values[at]])) };
  return Object.fromEntries(
    Object.keys(input.entries).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** Takes a value as it is, so that a wrong one is refused later, in the words of the tools. */
export function asGiven(text: string): string {
  return text;
}

/** Returns the number in a text, else the text, which the tool refuses. */
function numberIn(text: string): number | string {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? text : value;
}

function fieldOf(schema: v.ObjectEntries[string] | undefined): Field {
  const isOptional = schema?.type === 'optional';
  const [inner, fallback]: readonly [unknown, unknown] = isOptional
    ? [
        (schema as v.OptionalSchema<v.GenericSchema, unknown>).wrapped,
        (schema as { readonly default?: unknown }).default,
      ]
    : [schema, undefined];
  const plain = inner as v.GenericSchema & { readonly options?: unknown };
  return {
    description: v.getDescription(plain) ?? '',
    isOptional,
    kind: plain.type === 'boolean' ? 'flag' : plain.type === 'number' ? 'number' : 'text',
    choices: plain.type === 'picklist' && Array.isArray(plain.options) ? plain.options.map(String) : undefined,
    fallback,
  };
}
