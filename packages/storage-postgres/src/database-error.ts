import { DatabaseError } from 'pg'

/**
 * Whether an error came from the server. The pool of the program may be of another copy of the driver, whose class
 * `DatabaseError` is another one, so the fields decide.
 */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError ||
  (error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string')
