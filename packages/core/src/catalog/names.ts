import { validationFailed } from '../errors/service-error'
import { isWellFormed } from '../shared/json'
import { holdsUnseen } from '../shared/plain-text'
import { NAME_LENGTH, type Range } from './limits'

/** Sentence for text with an invisible character. */
export const UNSEEN_RULE = 'must not hold control characters, or characters that turn the direction of text'

/** Why a text is not `min` to `max` characters of valid Unicode; undefined when it is. */
export function lengthFault(text: string, { min, max }: Range): string | undefined {
  if (!isWellFormed(text)) return 'must be valid Unicode text'
  const characters = text.length > 2 * max ? text.length : [...text].length
  return characters >= min && characters <= max ? undefined : `must be ${min} to ${max} characters long`
}

/** Why a text cannot be a name, which people read in a list and in a terminal; undefined when it can. */
export const nameFault = (name: string, range: Range = NAME_LENGTH): string | undefined =>
  lengthFault(name, range) ?? (holdsUnseen(name) ? UNSEEN_RULE : undefined)

/** Throws VALIDATION_FAILED for what cannot be a name; none is no fault. */
export function checkName(name: string | null | undefined, range?: Range): void {
  const fault = name == null ? undefined : nameFault(name, range)
  if (fault !== undefined) throw validationFailed([{ path: 'name', message: fault }])
}
