import { ServiceError, StorageUnavailable } from '@matchyard/core'
import { ConfigurationError } from './storage-url'

/** Runs a command to its end; what stops it is told in one line that helps to mend it, and the exit code is 1. */
export async function tellFailure(run: () => Promise<void>): Promise<void> {
  try {
    await run()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`matchyard: ${sentenceOf(error)}\n`)
    process.exit(1)
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StorageUnavailable) return error.message
  if (error instanceof ServiceError) return error.detail
  if (isSystemError(error, 'EADDRINUSE'))
    return `port ${error.port} is in use; choose another one with --port, or --port 0 for any`
  if (isSystemError(error, 'EACCES')) return `permission denied: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const isSystemError = (error: unknown, code: string): error is NodeJS.ErrnoException & { port?: number } =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === code
