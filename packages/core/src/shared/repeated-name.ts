/**
 * Returns the first name that occurs twice in an object of a JSON text; undefined without one, and for invalid JSON. Parsers differ in which of
 * two members they take, so signer and reader could see different values.
 */
export function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = []
  // Whether a text that comes now is a member's name: after `{`, and after a comma of an object.
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

/** Texts first, so that what they hold is no sign. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs

/** A name may be written in several ways: `"sub"` is the same one as `"\u0073ub"`. */
function unquoted(token: string): string | undefined {
  try {
    return JSON.parse(token) as string
  } catch {
    return undefined
  }
}
