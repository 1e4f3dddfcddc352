/** Returns the text of a filter in the address without spaces around it; undefined without any. */
export const askedText = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())

/** Returns the build version of a filter in the address as the service names it, `arena@3`; people also write `arena v3`. */
export const askedBuild = (text: string): string | undefined => askedText(text)?.replace(/ v(\d+)$/, '@$1')
