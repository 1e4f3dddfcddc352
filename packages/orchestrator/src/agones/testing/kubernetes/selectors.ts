import { ApiStatus } from './status'

type Labels = Readonly<Record<string, string>>

/**
 * Returns a function that tests labels against a label selector, such as `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Labels
 * must satisfy every part of the selector.
 */
export function selectorOf(text: string | null | undefined): (labels: Labels | undefined) => boolean {
  const parts = splitParts(text ?? '').map(partOf)
  return (labels = {}) => parts.every((holds) => holds(labels))
}

/** A comma within parentheses separates the values of a set. */
const splitParts = (text: string): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

function partOf(part: string): (labels: Labels) => boolean {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(part)
  if (set !== null) {
    const [, key = '', operator, list = ''] = set
    const values = list.split(',').map((value) => value.trim())
    const isIn = (labels: Labels) => labels[key] !== undefined && values.includes(labels[key])
    return operator === 'in' ? isIn : (labels) => !isIn(labels)
  }
  const equal = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(part)
  if (equal !== null) {
    const [, key = '', operator, value] = equal
    return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value
  }
  if (/^!\S+$/.test(part)) return (labels) => labels[part.slice(1)] === undefined
  if (/^\S+$/.test(part)) return (labels) => labels[part] !== undefined
  throw new ApiStatus('BadRequest', `unable to parse requirement: ${part}`)
}
