import { validationFailed } from '../errors/service-error'
import { isWellFormed } from '../shared/json'
import { holdsUnseen } from '../shared/plain-text'
import { NAME_LENGTH, type Range } from './limits'

/** Message for a text with an invisible character. */
export const UNSEEN_RULE = 'must not contain control characters or characters that change the direction of text'

/** Returns the reason why a text is invalid: it is not valid Unicode, or not `min` to `max` characters long. Undefined when it is valid. */
export function lengthFault(text: string, { min, max }: Range): string | undefined {
  if (!isWellFormed(text)) return 'must be valid Unicode text'
  const characters = text.length > 2 * max ? text.length : [...text].length
  return characters >= min && characters <= max ? undefined : `must be ${min} to ${max} characters long`
}

/**
 * Returns the reason why a text cannot be a name; undefined when it can be one. Names appear in lists and terminals, so invisible
 * characters are refused.
 */
export const nameFault = (name: string, range: Range = NAME_LENGTH): string | undefined =>
  lengthFault(name, range) ?? (holdsUnseen(name) ? UNSEEN_RULE : undefined)

/** Throws VALIDATION_FAILED for an invalid name. An absent name is valid. */
export function checkName(name: string | null | undefined, range?: Range): void {
  const fault = name == null ? undefined : nameFault(name, range)
  if (fault !== undefined) throw validationFailed([{ path: 'name', message: fault }])
}
