/**
 * Thrown when an archive is refused. The message is for the developer, and names the entry when one entry is the
 * reason.
 */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
}

const LONGEST_NAME = 100

/**
 * Returns an entry's name in a form for messages: in quotation marks, with control characters escaped, cut after 100
 * characters.
 */
export function quote(name: string): string {
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
  return JSON.stringify(shown).replace(/[\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export const refuse = (name: string, why: string): never => {
  throw new ArchiveRefused(`entry ${quote(name)} ${why}`)
}
