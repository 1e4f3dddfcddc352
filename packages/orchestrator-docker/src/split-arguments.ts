type Mode = 'plain' | 'single' | 'double'

/** Inside double quotes a backslash takes the meaning of these away, and stands for itself before anything else. */
const SPECIAL_IN_DOUBLE = '"\\$`'

/**
 * The arguments that a POSIX shell would make of a text by its quotes and backslashes. Nothing else of a shell happens:
 * no variable, wildcard or command is looked at. A quote that is never closed ends with the text.
 */
export function splitArguments(text: string): string[] {
  const words: string[] = []
  let word: string | undefined // undefined between two arguments, since '' is one
  let mode: Mode = 'plain'
  const add = (char: string) => {
    word = (word ?? '') + char
  }
  const characters = [...text]
  for (let at = 0; at < characters.length; at++) {
    const char = characters[at] as string
    const next = characters[at + 1]
    if (mode === 'single') {
      if (char === "'") mode = 'plain'
      else add(char)
    } else if (char === '\\' && next !== undefined && (mode === 'plain' || SPECIAL_IN_DOUBLE.includes(next))) {
      add(next)
      at++
    } else if (mode === 'double') {
      if (char === '"') mode = 'plain'
      else add(char)
    } else if (char === '"' || char === "'") {
      mode = char === '"' ? 'double' : 'single'
      add('')
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else add(char)
  }
  if (word !== undefined) words.push(word)
  return words
}
