// What a backslash makes plain inside double quotes; before anything else it stands for itself there.
const ESCAPABLE_IN_DOUBLE_QUOTES = new Set(['"', '\\', '$', '`'])

/**
 * Splits a text into arguments as a POSIX shell would by quotes and backslashes, and does nothing else that a shell
 * does: no variables, no wildcards, no commands. An unclosed quote ends with the text.
 */
export const splitArguments = (text: string): string[] => scan(text).args

/** Whether a text that is split so ends inside a quote: then it is refused, and never split. */
export const hasUnclosedQuote = (text: string): boolean => scan(text).quote !== ''

// One scanner for both, so that what is checked is what is split.
function scan(text: string): { args: string[]; quote: string } {
  const args: string[] = []
  let current: string | undefined // undefined between arguments: '' is an argument of its own
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    const next = text[i + 1]
    const escapes = char === '\\' && next !== undefined && quote !== "'"
    if (escapes && (quote === '' || ESCAPABLE_IN_DOUBLE_QUOTES.has(next))) {
      current = (current ?? '') + next
      i++
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      current ??= ''
    } else if (quote !== '' && char === quote) {
      quote = ''
    } else if (quote === '' && /\s/.test(char)) {
      if (current !== undefined) args.push(current)
      current = undefined
    } else {
      current = (current ?? '') + char
    }
  }
  if (current !== undefined) args.push(current)
  return { args, quote }
}
