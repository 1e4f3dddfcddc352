// Codes of errors of the machine, not of the archive: the disk is full, over quota, read-only or broken; the process
// has no handles or memory left; or it lacks a permission.
const DISK_TROUBLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EACCES', 'EPERM'])

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isDiskTrouble = (error: unknown): boolean => DISK_TROUBLE.has(errorCode(error) ?? '')
