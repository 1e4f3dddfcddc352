/** Returns the id of a queue or a rating from its name: lowercase letters, digits and underscores, at most 64 characters. */
export const idOfName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 64)
