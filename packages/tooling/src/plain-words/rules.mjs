// The rules of docs/style.md that a machine can check.

/** A clause as a subject or after a preposition. As an object it is plain ("says what it costs"), and so is "whatever the rules". */
const SUBJECT_CLAUSE = [
  /(?:^|[.!;:] )(?:Who|What|Whose|Whom|Whatever|That which|Those who)\b(?![^.!;:]*\?)/i,
  /\b(?:whoever|whomever|whosoever|that which)\b/i,
  /\b(?:by|from|of|than|to|with) (?:what|whatever|who|whom)\b/i,
  /\b(?:and|but|or) (?:who|whose)\b/i,
]

/** First words of a comment that stand for a noun which the comment does not have. */
const NO_NOUN = [
  /^(?:It|Its|They|Their|Them|Each one|The ones?|The rest|The same|All of it|Of|Then|Also|Again|So)\b/,
  /^(?:One|Ones|Another|None|Such|Those|These|The others?)(?= (?:a|are|by|for|has|have|in|is|of|on|one|ones|that|to|was|were|which|who|with)\b)/,
]

const ANSWERS = /(?:^|\. )Answers\b(?! (?:are|at|by|for|go|in|is|kept|may|of|per|that|to|with)\b)/

/** The rules for prose: a document, a sentence of an error, a comment. */
const PROSE = [
  ...SUBJECT_CLAUSE.map((pattern) => ({ pattern, message: 'names nobody: say the player, caller, node or file' })),
]

/** The rules for a comment, besides those for prose. */
const COMMENT = [
  ...NO_NOUN.map((pattern) => ({ pattern, message: 'begins with a word that stands for a noun: name the thing' })),
  { pattern: ANSWERS, message: 'says "Answers": a function returns' },
]

/** Returns the faults of a comment's text as `{ found, message }`. */
export const faultsOfComment = (text) => faultsBy([...PROSE, ...COMMENT], text)

/** Returns the faults of a paragraph's text as `{ found, message }`. */
export const faultsOfProse = (text) => faultsBy(PROSE, text)

const faultsBy = (rules, text) =>
  rules.flatMap(({ pattern, message }) => {
    const found = pattern.exec(withoutCode(text))
    return found === null ? [] : [{ found: found[0].trim(), message }]
  })

/** Text in backticks or quotation marks is a name or an example. */
const withoutCode = (text) => text.replace(/`[^`]*`/g, '`').replace(/["“][^"”]*["”]/g, '"')
