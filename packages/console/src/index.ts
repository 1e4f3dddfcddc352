/**
 * URL of the folder with the console's files: `index.html`, and beside it `assets/` with names that depend on their content. Serve it under
 * `/console/`, on the same origin as the service.
 */
export const consoleFiles: URL = new URL('../dist/page/', import.meta.url)
