/**
 * Invisible characters that change how a terminal or a page shows text: control characters (C0, DEL, C1), the two Unicode line separators,
 * and the characters that change the direction of text.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const EACH_UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Maximum characters that a message repeats of a caller's text. */
const MAX_QUOTED = 128

/** Whether a text contains an invisible character that changes how a terminal or a page shows it. */
export const holdsUnseen = (text: string): boolean => UNSEEN.test(text)

/** Returns the text for a terminal or a page, with each invisible character written as an escape such as `\u001b`. */
export const shownText = (text: string): string =>
  holdsUnseen(text)
    ? text.replace(EACH_UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text

/** Returns the text as `shownText` does, but keeps line ends and tabs. */
export const shownLines = (text: string): string =>
  holdsUnseen(text)
    ? text.replace(EACH_UNSEEN, (sign) => (sign === '\n' || sign === '\t' ? sign : shownText(sign)))
    : text

/** Returns a caller's text for a message: in quotes, cut after 128 characters, with invisible characters written as escapes. */
export function quoted(text: string): string {
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
  return shownText(JSON.stringify(cut))
}
