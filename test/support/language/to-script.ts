import { parse } from 'yaml';
import { camelize } from '#model/language/camelize.ts';
import { canonicalKey, language } from '#model/language/language.ts';
import type { ShapeName, Type } from '#model/language/types.ts';
import { CALLS } from '#model/syntax/entity.ts';
import { entityShapes } from '#model/typed.ts';

const SECTIONS: Readonly<Record<string, string>> = { cubes: 'cube', views: 'view', view_groups: 'view_group' };

/**
 * Returns the same model as a script, in one of the usual styles (quotes, spelling of keys, functions around lists), which `name`
 * selects. Returns `undefined` if a script cannot express the YAML.
 */
export function toScript(name: string, text: string): string | undefined {
  let model: unknown;
  try {
    model = parse(text, { logLevel: 'error' });
  } catch {
    return undefined;
  }
  if (!isMap(model) || Object.keys(model).some((key) => !Object.hasOwn(SECTIONS, key))) return undefined;
  const writer = new Writer(name);
  const definitions: string[] = [];
  for (const [section, items] of Object.entries(model)) {
    if (!Array.isArray(items) || !items.every(isMap)) return undefined;
    for (const item of items) definitions.push(writer.definition(SECTIONS[section] ?? '', item));
  }
  return definitions.join('');
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

class Writer {
  #seed: number;

  constructor(name: string) {
    this.#seed = 7;
    for (let at = 0; at < name.length; at++) this.#seed = (this.#seed * 31 + name.charCodeAt(at)) % 2 ** 31;
  }

  definition(call: string, { name, ...rest }: Readonly<Record<string, unknown>>): string {
    const kind = CALLS[call];
    return `${call}(${this.#text(String(name))}, ${this.#map(rest, kind && entityShapes[kind])});\n`;
  }

  /** Returns a pseudo-random choice between 0 and `count`, exclusive. */
  #way(count: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (this.#seed >> 8) % count;
  }

  #text(text: string): string {
    const way = this.#way(3);
    if (way === 0) return JSON.stringify(text);
    if (way === 1) return `\`${text.replaceAll(/[`\\]/g, '\\$&').replaceAll('${', '\\${')}\``;
    return `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', String.raw`\n`)}'`;
  }

  #value(value: unknown, declared: Type | undefined): string {
    const type = declared?.is === 'either' ? declared.of.find((option) => fits(value, option)) : declared;
    if (Array.isArray(value)) return this.#list(value, type);
    if (isMap(value)) return this.#map(value, type?.is === 'map' ? type.shape : undefined);
    if (value instanceof Date) return 'new Date()';
    return typeof value === 'string' ? this.#word(value, type) : JSON.stringify(value ?? null);
  }

  #word(value: string, type: Type | undefined): string {
    const isReference = type?.is === 'reference' || (type?.is === 'list' && type.of.is === 'reference');
    if (isReference && /^[\w.]+$/.test(value) && this.#way(7) > 0) return value;
    return type?.is === 'sql' || isReference ? template(value) : this.#text(value);
  }

  #list(items: readonly unknown[], type: Type | undefined): string {
    if (type?.is === 'members' && items.every((item) => isMap(item) && 'name' in item)) {
      const members = items
        .filter(isMap)
        .map(({ name, ...rest }) => `${key(String(name))}: ${this.#map(rest, type.shape)}`);
      return `{ ${members.join(', ')} }`;
    }
    const of: Type | undefined =
      type?.is === 'list' ? type.of : type?.is === 'members' ? { is: 'map', shape: type.shape } : undefined;
    const list = `[${items.map((item) => this.#value(item, of)).join(', ')}]`;
    return of?.is === 'reference' && this.#way(3) === 0 ? `() => ${list}` : list;
  }

  #map(map: Readonly<Record<string, unknown>>, shape: ShapeName | undefined): string {
    const pairs = Object.entries(map).map(([written, value]) => {
      const known = shape && canonicalKey(shape, written);
      const isCamel = shape && known !== undefined && language[shape].camel && this.#way(2) === 0;
      const type = shape && known !== undefined ? language[shape].keys[known]?.type : undefined;
      return `${key(isCamel ? camelize(written) : written)}: ${this.#value(value, type)}`;
    });
    return `{ ${pairs.join(', ')} }`;
  }
}

function fits(value: unknown, { is }: Type): boolean {
  if (Array.isArray(value)) return is === 'list';
  return isMap(value) ? is === 'map' : is !== 'map' && is !== 'list';
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function template(text: string): string {
  return `\`${text.replaceAll(/[`\\]/g, '\\$&').replaceAll('{', '${')}\``;
}
