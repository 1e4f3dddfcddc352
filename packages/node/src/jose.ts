let loading: Promise<typeof import('jose')> | undefined

/**
 * Returns the `jose` library. It is loaded with the first token: it would be a tenth of the code that is loaded before
 * the first answer.
 */
export const jose = (): Promise<typeof import('jose')> => {
  loading ??= import('jose')
  return loading
}
