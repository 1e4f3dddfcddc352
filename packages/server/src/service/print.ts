/** Writes an answer to standard output and waits until a pipe has taken it; a reader that has seen enough (`| head`) is no fault. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? resolve() : reject(error)))
    process.stdout.write(text, () => resolve())
  })
}
