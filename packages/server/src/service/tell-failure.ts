import { ServiceError } from '@matchyard/core'
import { shownLines } from '@matchyard/core/domain'
import { StorageUnavailable } from '@matchyard/core/ports'
import { ConfigurationError } from '../config/configuration-error'
import { redactText } from './redact'
import { farewell, standardError } from './standard-streams'

/**
 * Runs a command, then ends the process. Each fault that stops the command is printed as one line that says how to
 * correct it, and the exit code is then 1.
 */
export async function tellFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run()
    await farewell()
    process.exit(0)
  } catch (error) {
    for (const line of faultsOf(error)) standardError().write(`matchyard: ${shownLines(redactText(line))}\n`)
    await farewell()
    process.exit(1)
  }
}

/** Returns a line for each fault that an error tells. */
export function faultsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigurationError) return error.faults
  if (error instanceof StorageUnavailable) return [error.message]
  if (error instanceof ServiceError) return [error.detail]
  if (isSystemError(error)) return [systemSentence(error)]
  if (error instanceof Error && isMissingPackage(error.cause)) return [error.message]
  // Any other error is a bug, for which the stack is needed.
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}

type SystemError = NodeJS.ErrnoException & { readonly code: string; readonly port?: number; readonly address?: string }

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error

/** Whether the cause of an error is an optional package that is not installed. The error then says how to install it. */
const isMissingPackage = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(cause.code))

function systemSentence({ code, path, port, address, message }: SystemError): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use; give another one with --port or PORT, or 0 for any`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine has no address ${address ?? ''}; give another one with --host or HOST`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if (path === undefined)
        return `permission denied to listen on port ${port}; give one above 1023 with --port or PORT`
      return `${path} is not writable; give another data folder with --data or MATCHYARD_DATA, or change its owner`
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is not a folder; give another data folder with --data or MATCHYARD_DATA`
    case 'ENOENT':
      return `${path} cannot be made or opened; give another data folder with --data or MATCHYARD_DATA`
    case 'ENOSPC':
      return `the disk is full: ${message}`
    default:
      return message
  }
}
