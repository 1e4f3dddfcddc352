// Errors of the machine, not of the archive: full, over quota, read-only, broken, out of handles or memory, not
// permitted.
const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM'])

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isDiskTrouble = (error: unknown): boolean => DISK_TROUBLE.has(errorCode(error) ?? '')
