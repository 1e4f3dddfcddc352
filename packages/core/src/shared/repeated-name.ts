/**
 * Returns the first member name that occurs twice in one object of a JSON text; undefined without such a name, and for invalid JSON. JSON
 * parsers differ in which of the two members they use, so the signer and the reader of a token could see different values.
 */
export function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = []
  // For each open bracket, whether it opens an object. A string is a member's name after `{`, and after a comma inside an object.
  const inObject: boolean[] = []
  let nameNext = false
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      inObject.push(token === '{')
      if (token === '{') open.push(new Set())
      nameNext = token === '{'
    } else if (token === '}' || token === ']') {
      if (inObject.pop() === true) open.pop()
      nameNext = false
    } else if (token === ',') nameNext = inObject.at(-1) === true
    else if (nameNext) {
      const name = unquoted(token)
      const names = open.at(-1)
      if (name === undefined || names === undefined) return undefined
      if (names.has(name)) return name
      names.add(name)
      nameNext = false
    }
  }
  return undefined
}

/** Strings are matched first, so that brackets inside them are skipped. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs

/**
 * Returns the text of a JSON string; undefined when the string is invalid. The same name can be written in several ways: `"sub"` equals
 * `"\u0073ub"`.
 */
function unquoted(token: string): string | undefined {
  try {
    return JSON.parse(token) as string
  } catch {
    return undefined
  }
}
