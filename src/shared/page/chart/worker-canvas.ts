// Vega measures texts with a canvas of the document and guesses their widths where there is none, as in a worker. This is
// imported before Vega, which checks for a canvas once, when it is loaded.
Object.assign(globalThis, { document: { createElement: () => new OffscreenCanvas(1, 1) } });
