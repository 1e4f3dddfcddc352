import { z } from 'zod'
import { MAX_EMAIL_LENGTH, NAME_LENGTH, PASSWORD_LENGTH, type Range } from '../catalog/limits'
import type { ValidationIssue } from '../errors/service-error'
import { isWellFormed } from '../shared/json'

const EMAIL = z.email()

/** Addresses are compared lower-cased (docs/http-api.md §2). */
export const normaliseEmail = (email: string): string => email.toLowerCase()

/** What is wrong with a registration; empty when nothing is. */
export function registrationIssues(input: { email: string; password: string; name: string }): ValidationIssue[] {
  return [
    ...issue('email', isEmail(input.email) ? undefined : 'must be an e-mail address, such as ann@example.com'),
    ...passwordIssues(input.password),
    ...issue('name', lengthFault(input.name, NAME_LENGTH)),
  ]
}

/** What is wrong with a password alone. */
export const passwordIssues = (password: string): ValidationIssue[] =>
  issue('password', lengthFault(password, PASSWORD_LENGTH))

/** Why a text is not `min` to `max` characters of valid Unicode; undefined when it is. */
export function lengthFault(text: string, { min, max }: Range): string | undefined {
  if (!isWellFormed(text)) return 'must be valid Unicode text'
  const characters = [...text].length
  return characters >= min && characters <= max ? undefined : `must be ${min} to ${max} characters long`
}

const isEmail = (email: string) => email.length <= MAX_EMAIL_LENGTH && EMAIL.safeParse(email).success

const issue = (path: string, message: string | undefined): ValidationIssue[] =>
  message === undefined ? [] : [{ path, message }]
