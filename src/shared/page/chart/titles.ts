import { linesOf } from './lines.ts';
import { isRecord, type Json } from './rules.ts';

/** The space for the titles of axes and the like, in pixels: a longer one would take the room of the plot. */
export interface TitleRoom {
  /** Along a horizontal axis. */
  readonly across: number;
  /** Along a vertical axis. */
  readonly upwards: number;
}

type Record_ = { readonly [key: string]: Json };

/** The maximum number of lines of a chart's title and of that of an axis. */
const mostLines = 4;
const mostAxisLines = 3;
/** In pixels. */
const lineHeight = 16;

/** The channels whose titles stand beside the plot, by the guide that shows them. */
const GUIDES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['x', 'y'].map((channel) => [channel, 'axis'])),
  ...Object.fromEntries(['row', 'column', 'facet'].map((channel) => [channel, 'header'])),
  ...Object.fromEntries(
    ['color', 'fill', 'stroke', 'opacity', 'strokeWidth', 'strokeDash', 'size', 'shape'].map((channel) => [
      channel,
      'legend',
    ]),
  ),
};
const VIEWS = ['layer', 'hconcat', 'vconcat', 'concat', 'spec'];

/**
 * Writes the titles of a chart in lines that fit, because a truncated title could change its meaning, and one that is wider than
 * the picture would leave no room for the plot. `width`: that of the picture, in pixels.
 */
export function withTitlesInLines(spec: object, width: number, room: TitleRoom): object {
  return { ...viewOf(spec as Record_, room), ...titleIn(spec as Record_, width) };
}

/** Returns how much higher a picture is because of the lines of its title, in pixels; an ordinary title needs nothing more. */
export function titleHeight(spec: object): number {
  const { title } = spec as Record_;
  const lines = isRecord(title) ? [title['text'] ?? [], title['subtitle'] ?? []].flat() : [title ?? []].flat();
  return Math.max(0, lines.length - 1) * lineHeight;
}

function viewOf(view: Record_, room: TitleRoom): Record_ {
  const { encoding } = view;
  const inner = Object.entries(view).flatMap(([key, value]): [string, Json][] => {
    if (!VIEWS.includes(key)) return [];
    return [[key, Array.isArray(value) ? value.map((each: Json) => innerView(each, room)) : innerView(value, room)]];
  });
  return {
    ...view,
    ...Object.fromEntries(inner),
    ...(isRecord(encoding) ? { encoding: encodingOf(encoding, room) } : {}),
  };
}

function innerView(view: Json, room: TitleRoom): Json {
  return isRecord(view) ? viewOf({ ...view, ...titleIn(view, room.across) }, room) : view;
}

function encodingOf(encoding: Record_, room: TitleRoom): Json {
  return Object.fromEntries(
    Object.entries(encoding).map(([channel, definition]) => [channel, definitionOf(channel, definition, room)]),
  );
}

/** Only the guide gets the lines: tooltips and screen readers name the column by the title as it is. */
function definitionOf(channel: string, definition: Json, room: TitleRoom): Json {
  const name = GUIDES[channel];
  if (name === undefined || !isRecord(definition)) return definition;
  const guide = definition[name];
  if (guide === null) return definition;
  const own = isRecord(guide) ? guide : {};
  const title = own['title'] ?? definition['title'];
  const width = channel === 'y' || channel === 'row' ? room.upwards : room.across;
  const lines = typeof title === 'string' || Array.isArray(title) ? inLines(title, width, mostAxisLines) : undefined;
  return lines === undefined ? definition : { ...definition, [name]: { ...own, title: lines } };
}

function titleIn(view: Record_, width: number): { readonly title?: Json } {
  const { title } = view;
  if (typeof title === 'string' || Array.isArray(title)) return { title: inLines(title, width, mostLines) };
  if (!isRecord(title)) return {};
  const entries = Object.entries(title).map(([key, value]) =>
    (key === 'text' || key === 'subtitle') && (typeof value === 'string' || Array.isArray(value))
      ? [key, inLines(value, width, mostAxisLines)]
      : [key, value],
  );
  return { title: Object.fromEntries(entries) as Json };
}

/** Returns the lines of a title, which may be in lines already. */
function inLines(title: Json, width: number, most: number): readonly string[] {
  const written = [title].flat().filter((line) => typeof line === 'string');
  const lines = written.flatMap((line) => linesOf(line, width, most));
  return lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]}…`] : lines;
}
