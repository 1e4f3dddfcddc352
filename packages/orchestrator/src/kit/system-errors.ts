/** Codes of errors that do not depend on the requested file: the machine or this process lacks a resource. */
const MACHINE_TROUBLE = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR')

export const isMachineTrouble = (error: unknown): boolean => hasCode(error, ...MACHINE_TROUBLE)
