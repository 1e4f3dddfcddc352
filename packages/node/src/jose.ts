let loading: Promise<typeof import('jose')> | undefined

/**
 * Returns the `jose` library. It is loaded when the first token is needed, because it would be a tenth of the code that
 * is loaded before the first answer.
 */
export const jose = (): Promise<typeof import('jose')> => {
  loading ??= import('jose')
  return loading
}
