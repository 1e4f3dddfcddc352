import { z } from 'zod'
import { MAX_EMAIL_LENGTH, PASSWORD_LENGTH } from '../catalog/limits'
import { lengthFault, nameFault } from '../catalog/names'
import type { ValidationIssue } from '../errors/service-error'

const EMAIL = z.email()

/** Returns the address in lower case, the form in which addresses are compared (docs/http-api.md §2). */
export const normaliseEmail = (email: string): string => email.toLowerCase()

/** Returns the faults of a registration; empty when it is valid. */
export function registrationIssues(input: { email: string; password: string; name: string }): ValidationIssue[] {
  return [
    ...issue('email', isEmail(input.email) ? undefined : 'must be an e-mail address, such as ann@example.com'),
    ...passwordIssues(input.password),
    ...issue('name', nameFault(input.name)),
  ]
}

/** Returns the faults of a password; empty when it is valid. */
export const passwordIssues = (password: string): ValidationIssue[] =>
  issue('password', lengthFault(password, PASSWORD_LENGTH))

const isEmail = (email: string) => email.length <= MAX_EMAIL_LENGTH && EMAIL.safeParse(email).success

const issue = (path: string, message: string | undefined): ValidationIssue[] =>
  message === undefined ? [] : [{ path, message }]
