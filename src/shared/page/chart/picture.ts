import { visible } from '#shared/page/visible.ts';

const SVG = 'http://www.w3.org/2000/svg';

const ELEMENTS = new Set(
  'svg g path rect line text tspan defs clipPath linearGradient radialGradient pattern stop'.split(' '),
);

/** Attributes that affect drawing; references may only point into the same picture. */
const ATTRIBUTES = new Set(
  (
    'class transform d x y x1 y1 x2 y2 cx cy r fx fy fr dx dy width height rx ry viewBox preserveAspectRatio id offset ' +
    'fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-dasharray stroke-dashoffset stroke-linecap ' +
    'stroke-linejoin stroke-miterlimit opacity stop-color stop-opacity clip-path display pointer-events ' +
    'font-family font-size font-style font-variant font-weight text-anchor dominant-baseline ' +
    'aria-label aria-hidden aria-roledescription role'
  ).split(' '),
);
const REFERENCE = /url\s*\(/i;
const OWN_REFERENCE = /^url\(#([\w-]+)\)$/;
const CLASS = /^[\w\s-]*$/;

let pictures = 0;

/**
 * Converts an SVG text to elements of the page, but only what draws: nothing that loads, links, styles or runs. Its ids get a
 * prefix so that pictures on one page do not reference each other. The accessible name of a mark becomes its tooltip.
 */
export function pictureOf(svg: string, document: Document): SVGSVGElement {
  const source = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const prefix = `chart${(pictures += 1)}-`;
  const copy = source.localName === 'svg' ? copied(source, prefix, document) : undefined;
  if (!copy) throw new Error('The chart produced no image.');
  return copy as SVGSVGElement;
}

function copied(source: Element, prefix: string, document: Document): Element | undefined {
  if (source.namespaceURI !== SVG || !ELEMENTS.has(source.localName)) return undefined;
  const copy = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) {
    const safe = ATTRIBUTES.has(name) ? attributeOf(name, value, prefix) : undefined;
    if (safe !== undefined) copy.setAttribute(name, safe);
  }
  for (const child of source.childNodes) {
    if (child.nodeType === 3) copy.append(document.createTextNode(visible(child.nodeValue ?? '')));
    const inner = child.nodeType === 1 ? copied(child as Element, prefix, document) : undefined;
    if (inner) copy.append(inner);
  }
  const label = source.getAttribute('aria-label');
  if (label !== null && source.getAttribute('role') === 'graphics-symbol' && source.localName !== 'g')
    copy.prepend(titled(label, document));
  return copy;
}

function attributeOf(name: string, value: string, prefix: string): string | undefined {
  if (name === 'id') return prefix + value;
  if (name === 'class') return CLASS.test(value) ? value : undefined;
  if (name === 'aria-label') return visible(value);
  if (!REFERENCE.test(value)) return value;
  const own = OWN_REFERENCE.exec(value);
  return own ? `url(#${prefix}${own[1]})` : undefined;
}

function titled(label: string, document: Document): Element {
  const title = document.createElementNS(SVG, 'title');
  title.textContent = visible(label);
  return title;
}
