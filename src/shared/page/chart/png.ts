/** The longest side and the largest area of a canvas in pixels: browsers return an empty image beyond. */
const longestSide = 32_000;
const largestArea = 200_000_000;
const failed = 'The image of the chart could not be created.';

/**
 * Resolves to a picture on the page as PNG in base64. It has double resolution where a canvas can be that large, and the background
 * of the page, because its texts have the theme’s colours. Rejects with a sentence for the user.
 */
export async function pngOf(svg: string, element: SVGSVGElement): Promise<string> {
  const { width, height } = element.viewBox.baseVal;
  const scale = Math.min(2, longestSide / Math.max(width, height), Math.sqrt(largestArea / (width * height)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode().catch(() => Promise.reject(new Error(failed)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error(failed);
  context.fillStyle = groundOf(element);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const [, data = ''] = /^data:image\/png;base64,(.+)$/.exec(canvas.toDataURL('image/png')) ?? [];
  if (data === '') throw new Error(failed);
  return data;
}

function groundOf(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (backgroundColor !== '' && backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent')
      return backgroundColor;
  }
  return '#ffffff';
}
