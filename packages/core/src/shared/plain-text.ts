/**
 * Invisible characters that control terminals and pages: controls (C0, DEL, C1), the two that end a line, and those that change the direction
 * of text.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const EACH_UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Characters of a caller's own words that are told back. */
const MAX_QUOTED = 128

/** Whether a text holds a character that nobody sees and that terminals and pages obey. */
export const holdsUnseen = (text: string): boolean => UNSEEN.test(text)

/** The text for a terminal or a page: each character that nobody sees is written out, `\u001b`. */
export const shownText = (text: string): string =>
  holdsUnseen(text)
    ? text.replace(EACH_UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text

/** Returns printable text that keeps its line ends and tabs. */
export const shownLines = (text: string): string =>
  holdsUnseen(text)
    ? text.replace(EACH_UNSEEN, (sign) => (sign === '\n' || sign === '\t' ? sign : shownText(sign)))
    : text

/** A caller's own words for a sentence: in quotes, written out where nobody would see them, and cut where they are long. */
export function quoted(text: string): string {
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
  return shownText(JSON.stringify(cut))
}
