/** Styles that drawn elements get from the page, and that a separate file must contain itself. */
const drawn = ['fill', 'stroke', 'stroke-width', 'font-family', 'font-size', 'font-weight'];

/** Returns a picture of the page as the text of an SVG file: in its own size, with the current colours and background. */
export function svgOf(picture: SVGSVGElement): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const originals = [...picture.querySelectorAll('*')];
  for (const [at, element] of [...copy.querySelectorAll('*')].entries()) {
    const original = originals[at];
    if (!original) continue;
    const style = getComputedStyle(original);
    for (const name of drawn) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'id', 'tabindex', 'role', 'aria-label']) element.removeAttribute(name);
  }
  const { width, height } = picture.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.querySelector('.graph') ?? document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** Resolves to the drawing as a PNG in base64, in twice the resolution. */
export async function pngOf(svg: string, picture: SVGSVGElement): Promise<string> {
  const { width, height } = picture.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  // Browsers draw nothing on a larger canvas.
  const scale = Math.min(2, 8000 / Math.max(width, height));
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:[^,]*,/, '');
}
