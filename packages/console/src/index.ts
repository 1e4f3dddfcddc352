/**
 * The folder with the console's files: `index.html`, and beside it `assets/`, whose names change with what is in them. To be served
 * under `/console/`, on the same origin as the service.
 */
export const consoleFiles: URL = new URL('../dist/page/', import.meta.url)
