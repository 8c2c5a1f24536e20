// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pngOf } from '#shared/page/chart/png.ts';

/** The largest side and area of a canvas in Chromium; beyond them it is empty, and `toDataURL` returns no data. */
const longest = 65_535;
const largest = 16_384 * 16_384;

interface Drawn {
  width: number;
  height: number;
  ground: string;
}

let drawn: Drawn;
let isReadable = true;

beforeEach(() => {
  isReadable = true;
  drawn = { width: 0, height: 0, ground: '' };
  class Picture {
    src = '';
    decode = (): Promise<void> => (isReadable ? Promise.resolve() : Promise.reject(new DOMException('EncodingError')));
  }
  vi.stubGlobal('Image', Picture);
  const create = document.createElement.bind(document);
  vi.spyOn(document, 'createElement').mockImplementation(((name: string) => {
    if (name !== 'canvas') return create(name);
    const context = { fillStyle: '', fillRect: () => (drawn.ground = context.fillStyle), drawImage: () => undefined };
    return {
      set width(value: number) {
        drawn.width = value;
      },
      set height(value: number) {
        drawn.height = value;
      },
      getContext: () => context,
      toDataURL: () =>
        Math.max(drawn.width, drawn.height) > longest || drawn.width * drawn.height > largest
          ? 'data:,'
          : 'data:image/png;base64,iVBORw==',
    };
  }) as typeof document.createElement);
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function pictureOf(width: number, height: number): SVGSVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  Object.defineProperty(element, 'viewBox', { value: { baseVal: { width, height } } });
  document.body.append(element);
  return element;
}

describe('the image of a chart', () => {
  it('has double resolution and the ground of the page', async () => {
    document.body.style.backgroundColor = 'rgb(30, 30, 30)';
    expect(await pngOf('<svg/>', pictureOf(300, 240))).toBe('iVBORw==');
    expect(drawn).toEqual({ width: 600, height: 480, ground: 'rgb(30, 30, 30)' });
    document.body.style.backgroundColor = '';
  });

  it.each([
    [300, 50_000],
    [90_000, 200],
    [20_000, 20_000],
  ])('of %d × %d pixels is as large as a canvas can be, instead of empty', async (width, height) => {
    expect(await pngOf('<svg/>', pictureOf(width, height))).toBe('iVBORw==');
    expect(drawn.width / drawn.height / (width / height)).toBeCloseTo(1, 1);
  });

  it('is refused in a sentence where the browser cannot read the picture', async () => {
    isReadable = false;
    await expect(pngOf('<svg/>', pictureOf(300, 240))).rejects.toThrow('The image of the chart could not be created.');
  });
});
