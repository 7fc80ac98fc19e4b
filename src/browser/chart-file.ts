/** What decides how a shape looks. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-family',
] as const;
/** Pixels of a picture for each unit of the drawing. */
const SCALE = 3;

/** A drawing as a file of its own: what the style of the page says of each shape stands on the shape. */
export function svgFile(drawing: SVGSVGElement): Blob {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  for (const [at, shape] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[at];
    if (!original || shape.localName === 'title') continue;
    const looks = getComputedStyle(original);
    for (const look of LOOKS) shape.setAttribute(look, looks.getPropertyValue(look));
  }
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('xmlns', drawing.namespaceURI ?? '');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' });
}

/** A drawing as a picture, on the colour that it stands on. @throws Error where the browser makes none */
export async function pngFile(drawing: SVGSVGElement, ground: string): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal;
  const address = URL.createObjectURL(svgFile(drawing));
  try {
    const image = new Image(width * SCALE, height * SCALE);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * SCALE, height * SCALE];
    const context = canvas.getContext('2d');
    if (!context) throw new Error('the browser draws no pictures');
    context.fillStyle = ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the browser writes no PNG'))),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
