// The rules of docs/style.md that a machine can check.

const rulesOf = (message, ...patterns) => patterns.map((pattern) => ({ pattern, message }))

/**
 * The rules for prose: a document, a sentence of an error, a comment. The patterns find a clause with "who" or "what"
 * that is a subject or follows a preposition. A clause as an object is allowed ("says what it costs"), and so is
 * "whatever the rules".
 */
const PROSE = rulesOf(
  'names nobody: say the player, caller, node or file',
  /(?:^|[.!;:] )(?:Who|What|Whose|Whom|Whatever|That which|Those who)\b(?![^.!;:]*\?)/i,
  /\b(?:whoever|whomever|whosoever|that which)\b/i,
  /\b(?:by|from|of|than|to|with) (?:what|whatever|who|whom)\b/i,
  /\b(?:and|but|or) (?:who|whose)\b/i,
)

/** The rules for a comment: the rules for prose, and rules for its first word and for "Answers". */
const COMMENT = [
  ...PROSE,
  ...rulesOf(
    'begins with a word that stands for a noun: name the thing',
    /^(?:It|Its|They|Their|Them|Each one|The ones?|The rest|The same|All of it|Of|Then|Also|Again|So)\b/,
    /^(?:One|Ones|Another|None|Such|Those|These|The others?)(?= (?:a|are|by|for|has|have|in|is|of|on|one|ones|that|to|was|were|which|who|with)\b)/,
  ),
  ...rulesOf(
    'says "Answers": a function returns',
    /(?:^|\. )Answers\b(?! (?:are|at|by|for|go|in|is|kept|may|of|per|that|to|with)\b)/,
  ),
]

/** Returns the faults of a comment's text as `{ found, message }`. */
export const faultsOfComment = (text) => faultsBy(COMMENT, text)

/** Returns the faults of a paragraph's text as `{ found, message }`. */
export const faultsOfProse = (text) => faultsBy(PROSE, text)

function faultsBy(rules, text) {
  // Text in backticks or quotation marks is a name or an example.
  const prose = text.replace(/`[^`]*`/g, '`').replace(/["“][^"”]*["”]/g, '"')
  return rules.flatMap(({ pattern, message }) => {
    const found = pattern.exec(prose)
    return found === null ? [] : [{ found: found[0].trim(), message }]
  })
}
