// Vega measures texts with a canvas of the document and guesses their widths without one, as in a worker. Import this before
// Vega, which checks for a canvas once, when it is loaded.
Object.assign(globalThis, { document: { createElement: () => new OffscreenCanvas(1, 1) } });
