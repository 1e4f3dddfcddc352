/** Whether a text split like a shell would (quotes, backslash escapes) ends inside a quote. */
export function hasUnclosedQuote(text: string): boolean {
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (char === '\\' && quote !== "'") i++
    else if (quote === '' && (char === '"' || char === "'")) quote = char
    else if (char === quote) quote = ''
  }
  return quote !== ''
}
