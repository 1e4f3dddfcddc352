/**
 * PostgreSQL's text cannot hold U+0000, JavaScript's can. What goes into a plain column is written with U+E000 as an escape sign:
 * the two characters that need it become two each, every other text is stored as it is. Bodies are JSON, which escapes by itself.
 */
const SIGN = '\ue000'
const needsEscape = new RegExp(`[\\0${SIGN}]`)
const unescaped = new RegExp(`[\\0${SIGN}]`, 'g')
const escaped = new RegExp(`${SIGN}([01])`, 'g')

export const toColumn = (text: string): string =>
  needsEscape.test(text) ? text.replace(unescaped, (sign) => SIGN + (sign === SIGN ? '1' : '0')) : text

export const fromColumn = (text: string): string =>
  text.includes(SIGN) ? text.replace(escaped, (_, digit) => (digit === '1' ? SIGN : '\0')) : text

/**
 * Texts of JSON as one parameter: they never hold U+0001, which JSON escapes, and none is empty. As an array's literal each
 * of their many quotes would be escaped on this side and parsed again on the other.
 */
export const jsonList = (texts: readonly string[]): string => texts.join('\u0001')
/** The list in SQL. */
export const jsonListIn = (parameter: string): string => `string_to_array(${parameter}::text, chr(1))`
