/**
 * URL of the folder with the console's built files: `index.html`, and `assets/` with names that depend on the content.
 * Serve the folder under `/console/`, on the same origin as the service.
 */
export const consoleFiles: URL = new URL('../dist/page/', import.meta.url)
