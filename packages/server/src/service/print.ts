import { shownLines } from '@matchyard/core/domain'

/**
 * Writes an answer to standard output and waits until a pipe has taken it; a reader that has seen enough (`| head`) is no fault. What callers
 * named is in it: characters that a terminal obeys are written out.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)))
    process.stdout.write(shownLines(text), () => resolve())
  })
}
