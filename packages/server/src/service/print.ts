import { shownLines } from '@matchyard/core/domain'

/**
 * Writes a text to standard output and waits until a pipe has accepted it. It is not an error if the reader has closed
 * the pipe (`| head`). The text may contain names that callers chose, so control characters are escaped.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)))
    process.stdout.write(shownLines(text), () => resolve())
  })
}
