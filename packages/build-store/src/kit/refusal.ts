/** Why an archive is not taken; the message is for the developer and names the entry. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
}

const LONGEST_NAME = 100

/** The entry's name for a message: quoted, control characters spelled out, cut when long. */
export function quote(name: string): string {
  const shown = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
  return JSON.stringify(shown).replace(/[\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export const refuse = (name: string, why: string): never => {
  throw new ArchiveRefused(`entry ${quote(name)} ${why}`)
}
