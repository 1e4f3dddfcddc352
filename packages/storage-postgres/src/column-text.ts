/**
 * Escape character of plain text columns, because PostgreSQL's text cannot hold U+0000. In a column, the characters
 * U+0000 and U+E000 become two characters each; all other characters are stored unchanged. Bodies need no escape: JSON
 * escapes U+0000 itself.
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
 * Joins JSON texts into one parameter, separated by U+0001. JSON escapes U+0001, so no text contains it, and no JSON
 * text is empty. This replaces an array literal, in which the driver would escape every quote, and the server would
 * parse the escapes again.
 */
export const jsonList = (texts: readonly string[]): string => texts.join('\u0001')
/** Returns the SQL expression that splits a parameter made by `jsonList` into an array. */
export const jsonListIn = (parameter: string): string => `string_to_array(${parameter}::text, chr(1))`
