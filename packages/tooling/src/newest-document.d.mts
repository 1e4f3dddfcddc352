/** Returns the Markdown files of which the console makes pages, and the folders whose time changes when a page is added. */
export function documentsOf(root: string): string[]

/** Returns the time of the newest change of the documents, in epoch milliseconds. */
export function newestDocument(root: string): number
